public import NightlatchWire

/// When what a store has written lives at the latest: its whole life from now. What expires later was written while the
/// clock was ahead, and would else live for as long as the clock was ahead.
public struct ExpiryLimit: Hashable, Sendable {
    /// The latest that the wall clock has been for a while. A store compares it with its own clock, and the later of
    /// the two counts.
    public let latest: NumericDate
    /// How long an enrolment code may be used; nil if no code's life is cut.
    public let enrolmentCodeLife: Duration?
    /// How long a session from a journey lives; nil if no session's life is cut.
    public let journeySessionLife: Duration?

    public init(latest: NumericDate, enrolmentCodeLife: Duration?, journeySessionLife: Duration?) {
        self.latest = latest
        self.enrolmentCodeLife = enrolmentCodeLife
        self.journeySessionLife = journeySessionLife
    }

    /// The end of a life of `life`, by a store whose clock says `now`.
    package func end(of life: Duration, now: NumericDate) -> NumericDate { max(now, latest) + life }
}
