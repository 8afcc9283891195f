public import NightlatchWire

/// Limits the password attempts for a user ([NIST SP 800-63B-4, section
/// 3.2.2](https://pages.nist.gov/800-63-4/sp800-63b.html)).
///
/// The first five attempts need no wait. Each further attempt needs a longer wait: 30 seconds, one minute, two minutes
/// and so on, up to an hour. After one hundred wrong attempts the password must be set again. A right attempt resets
/// the count.
///
/// A wait never ends later than its full length from now. A wait that was written while the clock was ahead therefore
/// ends in time once the clock is corrected.
public struct PasswordThrottle: Hashable, Sendable {
    /// The number of consecutive wrong attempts.
    public private(set) var failures: Int
    /// The time before which no attempt is permitted.
    public private(set) var closedUntil: NumericDate

    public init(failures: Int = 0, closedUntil: NumericDate = NumericDate(secondsSince1970: 0)) {
        self.failures = failures
        self.closedUntil = closedUntil
    }

    /// Charges an attempt at `now`.
    ///
    /// - Returns: False if no attempt is permitted. The store writes the throttle in this case too, if it changed: a
    ///   wait that was too long has been shortened, and would otherwise begin again with each attempt.
    public mutating func charge(at now: NumericDate) -> Bool {
        closedUntil = min(closedUntil, now + wait)
        guard now >= closedUntil, failures < Self.limit else { return false }
        failures += 1
        guard failures >= Self.freeAttempts else { return true }
        closedUntil = now + wait
        return true
    }

    /// Takes back a charge whose attempt was not tested. The next ``charge(at:)`` shortens a wait that it had begun.
    public mutating func takeBack() { failures = max(0, failures - 1) }

    /// The wait after the last failure.
    private var wait: Duration {
        guard failures >= Self.freeAttempts else { return .zero }
        let doublings = min(failures - Self.freeAttempts, Self.greatestDoubling)
        return min(.seconds(30 << doublings), .seconds(3600))
    }

    private static let freeAttempts = 5
    private static let limit = 100
    /// The number of doublings after which the wait reaches its maximum of an hour.
    private static let greatestDoubling = 7
}
