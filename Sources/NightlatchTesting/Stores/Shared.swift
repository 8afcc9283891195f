package import Nightlatch

/// One value that copies of a struct share, behind a lock.
package typealias Shared<Value: Sendable> = Locked<Value>
