internal import Foundation

/// Carries one PIN from a prompt to the library and returns it once.
///
/// A ``Pin`` cannot be copied, so it cannot pass through a continuation; a box that holds it can. A PIN that is never
/// taken is overwritten when the last reference to the box is released.
// Safe to send: `pin` is touched only while `lock` is held. A `Locked` cannot hold a noncopyable value.
public final class PinBox: @unchecked Sendable {
    private let lock = NSLock()
    private var pin: Pin?

    public init(_ pin: consuming Pin) {
        self.pin = consume pin
    }

    /// Returns the PIN on the first call, and nil on every later call.
    public func take() -> Pin? {
        lock.lock()
        defer { lock.unlock() }
        return pin.take()
    }

    /// Whether the box still contains a PIN that equals `other`, compared in constant time.
    package func contains(_ other: borrowing Pin) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        return pin?.isEqual(to: other) ?? false
    }
}
