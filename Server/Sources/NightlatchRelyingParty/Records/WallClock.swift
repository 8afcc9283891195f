public import NightlatchWire

/// The wall clock.
///
/// A relying party and its store each have a clock. The store's clock decides whether a challenge, code or token is
/// still valid, so that processes with differing clocks agree if they share a database's clock.
public struct WallClock: Sendable {
    private let read: @Sendable () -> NumericDate

    /// Makes a clock that calls `read` at each use, on any thread.
    public init(_ read: @escaping @Sendable () -> NumericDate) {
        self.read = read
    }

    /// The current time, in whole seconds.
    public func now() -> NumericDate { read() }
}
