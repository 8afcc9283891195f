internal import Foundation

/// Carries one PIN from a prompt to the library and gives it out once.
///
/// A ``Pin`` cannot be copied, so it cannot cross a continuation; a box with one in it can. A PIN that is never taken is
/// overwritten when the last reference to the box goes.
// Safe to send: `pin` is touched only while `lock` is held. Not a `Locked`, which cannot hold what cannot be copied.
public final class PinBox: @unchecked Sendable {
    private let lock = NSLock()
    private var pin: Pin?

    public init(_ pin: consuming Pin) {
        self.pin = consume pin
    }

    /// The PIN the first time, nil ever after.
    public func take() -> Pin? {
        lock.lock()
        defer { lock.unlock() }
        return pin.take()
    }
}
