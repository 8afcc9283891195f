public import NightlatchWire

/// How many passwords may be tried for a user: five, then one after each wait of 30 seconds, a minute, two, up to an hour, and a
/// hundred in all ([NIST SP 800-63B-4, section 3.2.2](https://pages.nist.gov/800-63-4/sp800-63b.html)). Then none, until the password
/// is set anew. A right one begins the count anew.
///
/// A wait is never longer than the failures give, counted from now: one that was written while the clock was ahead ends in time once the clock
/// was put right.
public struct PasswordThrottle: Hashable, Sendable {
    /// How many wrong ones in a row were tried.
    public private(set) var failures: Int
    /// Until when none may be tried.
    public private(set) var closedUntil: NumericDate

    public init(failures: Int = 0, closedUntil: NumericDate = NumericDate(secondsSince1970: 0)) {
        self.failures = failures
        self.closedUntil = closedUntil
    }

    /// Counts one that is tried now.
    ///
    /// - Returns: False if none may be tried. The store keeps the throttle in this case too, if it has changed: a wait that was too long is
    ///   shorter now, and would else begin again with each attempt.
    public mutating func charge(at now: NumericDate) -> Bool {
        closedUntil = min(closedUntil, now + wait)
        guard now >= closedUntil, failures < Self.limit else { return false }
        failures += 1
        guard failures >= Self.freeAttempts else { return true }
        closedUntil = now + wait
        return true
    }

    /// How long none may be tried after the last failure.
    private var wait: Duration {
        guard failures >= Self.freeAttempts else { return .zero }
        let doublings = min(failures - Self.freeAttempts, Self.greatestDoubling)
        return min(.seconds(30 << doublings), .seconds(3600))
    }

    private static let freeAttempts = 5
    private static let limit = 100
    /// From here on it is an hour.
    private static let greatestDoubling = 7
}
