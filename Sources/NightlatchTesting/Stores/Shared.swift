package import Nightlatch

/// A value behind a lock. All copies of a struct share this value.
package typealias Shared<Value: Sendable> = Locked<Value>
