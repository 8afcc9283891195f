package import Nightlatch

/// A value behind a lock that the copies of a struct share.
package typealias Shared<Value: Sendable> = Locked<Value>
