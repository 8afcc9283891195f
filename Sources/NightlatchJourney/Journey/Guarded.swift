internal import Foundation

/// One value behind a lock, for objects that programs change from wherever they are.
///
/// The lock is Foundation's: `Mutex` would need newer systems than the package does.
// Safe to send: `value` is touched only while `lock` is held.
final class Guarded<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&value)
    }
}
