public import NightlatchWire

/// What time it is. A relying party and its store each have one; the store's decides whether a challenge, a code or a token
/// is still good, so that processes with differing clocks come to one answer where they share a database's clock.
public struct WallClock: Sendable {
    private let read: @Sendable () -> NumericDate

    /// A clock that asks `read` at each use. It may be called from any thread.
    public init(_ read: @escaping @Sendable () -> NumericDate) {
        self.read = read
    }

    /// The moment of the call, in whole seconds.
    public func now() -> NumericDate { read() }
}
