internal import Foundation

/// One value behind a lock, shared by all who hold a reference to it.
///
/// The lock is Foundation's: `Mutex` needs iOS 18 and macOS 15. A value that cannot be copied needs a class of its own, as ``PinBox``:
/// the runtime cannot tell that of a generic field, and `dump` would copy it and end the process.
// Safe to send: `value` can be sent, and it is touched only while `lock` is held.
package final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) {
        self.value = value
    }

    /// Calls `body` with the value, while no other call has it. `body` must not call ``withLock(_:)`` of the same value: it would wait
    /// without end.
    package func withLock<Result: ~Copyable>(_ body: (inout Value) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&value)
    }
}
