/// Carries one PIN from a prompt to the library and gives it out once.
///
/// A ``Pin`` cannot be copied, so it cannot cross a continuation; a box with one in it can. A PIN that is never taken is
/// overwritten when the last reference to the box goes.
public final class PinBox: Sendable {
    private let pin: Locked<Pin?>

    public init(_ pin: consuming Pin) {
        self.pin = Locked(consume pin)
    }

    /// The PIN the first time, nil ever after.
    public func take() -> Pin? {
        pin.withLock { $0.take() }
    }
}
