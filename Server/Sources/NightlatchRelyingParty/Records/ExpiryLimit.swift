public import NightlatchWire

/// The latest expiry of records that live for a fixed time: a full life from now.
///
/// A record with a later expiry was written while the clock was ahead, and would otherwise live longer by as much.
public struct ExpiryLimit: Hashable, Sendable {
    /// The latest reading of the wall clock within a recent period. A store takes the later of this and its own clock.
    public let latest: NumericDate
    /// The life of an enrolment code; nil if codes' lives are not shortened.
    public let enrolmentCodeLife: Duration?
    /// The life of a journey session; nil if sessions' lives are not shortened.
    public let journeySessionLife: Duration?

    public init(latest: NumericDate, enrolmentCodeLife: Duration?, journeySessionLife: Duration?) {
        self.latest = latest
        self.enrolmentCodeLife = enrolmentCodeLife
        self.journeySessionLife = journeySessionLife
    }

    /// The latest expiry for a life of `life`, for a store whose clock reads `now`.
    package func end(of life: Duration, now: NumericDate) -> NumericDate { max(now, latest) + life }
}
