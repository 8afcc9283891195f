internal import Foundation

/// A value behind a lock, shared by all holders of a reference to it.
///
/// The lock is Foundation's, because `Mutex` needs iOS 18 and macOS 15. A value that cannot be copied needs its own
/// class, such as ``PinBox``: the runtime does not recognise such a value in a generic field, and `dump` would copy it
/// and crash the process.
// Safe to send: `value` can be sent, and it is touched only while `lock` is held.
package final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) {
        self.value = value
    }

    /// Calls `body` with the value, while no other call can access it.
    ///
    /// `body` must not call ``withLock(_:)`` on the same value: that would deadlock.
    package func withLock<Result: ~Copyable>(_ body: (inout Value) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&value)
    }
}
