public import NightlatchWire

/// The wall clock.
///
/// A relying party and its store each have a clock. The store's clock decides whether a challenge, code or token is
/// still valid, so that processes with differing clocks agree if they share a database's clock.
public struct WallClock: Sendable {
    private let read: @Sendable () -> NumericDate
    /// A clock that cannot be set, with any origin. It shows the jumps of the wall clock.
    package let uptime: @Sendable () -> Duration

    /// Makes a clock that calls `read` at each use, on any thread.
    public init(_ read: @escaping @Sendable () -> NumericDate) {
        self.init(read, uptime: Self.systemUptime)
    }

    /// Like ``init(_:)``, with another clock than the system's that shows jumps.
    package init(_ read: @escaping @Sendable () -> NumericDate, uptime: @escaping @Sendable () -> Duration) {
        self.read = read
        self.uptime = uptime
    }

    private static let start = ContinuousClock.now

    /// The system's clock that cannot be set.
    package static let systemUptime: @Sendable () -> Duration = { ContinuousClock.now - start }

    /// The current time, in whole seconds.
    public func now() -> NumericDate { read() }
}
