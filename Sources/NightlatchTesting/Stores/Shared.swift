import Foundation

/// One value behind a lock that copies of a struct share.
///
/// The lock is Foundation's: `Mutex` would need newer systems than the package does.
package final class Shared<Value: Sendable>: @unchecked Sendable {
    // Safe to send: `value` is touched only while `lock` is held.
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) {
        self.value = value
    }

    package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&value)
    }
}
