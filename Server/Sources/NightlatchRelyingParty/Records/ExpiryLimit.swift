public import NightlatchWire

/// The latest expiry of records with a fixed lifetime: one full lifetime from now.
///
/// A record with a later expiry was written while the clock was ahead. Without this limit, it would be valid for too
/// long.
public struct ExpiryLimit: Hashable, Sendable {
    /// The latest reading of the wall clock within a recent period. A store uses this time or the time of its own
    /// clock, whichever is later.
    public let latest: NumericDate
    /// The lifetime of an enrolment code; nil if the lifetimes of codes are not shortened.
    public let enrolmentCodeLife: Duration?
    /// The lifetime of a journey session; nil if the lifetimes of sessions are not shortened.
    public let journeySessionLife: Duration?

    public init(latest: NumericDate, enrolmentCodeLife: Duration?, journeySessionLife: Duration?) {
        self.latest = latest
        self.enrolmentCodeLife = enrolmentCodeLife
        self.journeySessionLife = journeySessionLife
    }

    /// The latest expiry of a record with the lifetime `life`, for a store whose clock reads `now`.
    package func end(of life: Duration, now: NumericDate) -> NumericDate { max(now, latest) + life }
}
