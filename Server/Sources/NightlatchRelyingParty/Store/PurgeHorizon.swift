package import NightlatchWire

/// Up to which times a store may forget what has expired, if its wall clock may be wrong for a while.
///
/// Each look at the wall clock is moved on by the steady clock, and the earliest of the last looks counts: of a quarter
/// of an hour for what lives for minutes, of nine hours for everything else. So where the wall clock jumps ahead,
/// nothing is forgotten because of that until so much time has really passed. By then what was used before has really
/// expired, and does not serve again when the clock is put right. A process that has just started knows nothing of the
/// clock and lets nothing be forgotten.
package struct PurgeHorizon: Sendable {
    private let brief: Duration
    private let lasting: Duration
    /// How long an enrolment code and a session from a journey live; nil if such lives are not cut.
    private let enrolmentCodeLife: Duration?
    private let journeySessionLife: Duration?
    /// In the order of their uptimes.
    private var looks: [(time: NumericDate, uptime: Duration)] = []

    /// More than a challenge and a journey's question live.
    private static let brief: Duration = .seconds(15 * 60)
    /// More than a message of a journey (up to an hour) and a console session live.
    private static let lasting = ConsoleSession.longestLife + .seconds(60 * 60)

    /// - Parameters:
    ///   - challengeLife: How long a challenge lives.
    ///   - enrolmentCodeLife: How long an enrolment code lives.
    ///   - journeySessionLife: How long a session from a journey lives; nil where there are none.
    package init(challengeLife: Duration, enrolmentCodeLife: Duration, journeySessionLife: Duration?) {
        let brief = max(Self.brief, challengeLife + ChallengeUse.retention)
        self.init(
            brief: brief, lasting: max(Self.lasting, brief), enrolmentCodeLife: enrolmentCodeLife,
            journeySessionLife: journeySessionLife)
    }

    /// - Parameters:
    ///   - brief: How long a jump is waited out by what lives for minutes, and before lives are cut.
    ///   - lasting: The same for everything else; `brief` at least.
    ///   - enrolmentCodeLife: How long an enrolment code lives; nil if its life is not cut.
    ///   - journeySessionLife: How long a session from a journey lives; nil if its life is not cut.
    package init(
        brief: Duration,
        lasting: Duration,
        enrolmentCodeLife: Duration? = nil,
        journeySessionLife: Duration? = nil
    ) {
        self.brief = brief
        self.lasting = lasting
        self.enrolmentCodeLife = enrolmentCodeLife
        self.journeySessionLife = journeySessionLife
    }

    /// How far the wall clock was set forward since the last look; negative if it was set back. Nil before the first
    /// look.
    package func jump(clock now: NumericDate, uptime: Duration) -> Duration? {
        looks.last.map { now - ($0.time + (uptime - $0.uptime)) }
    }

    /// Takes a look, and says up to when what has expired may be forgotten, and where lives are cut.
    ///
    /// - Parameters:
    ///   - now: What the wall clock says.
    ///   - uptime: The time of a clock that no one sets, from any moment on.
    package mutating func times(clock now: NumericDate, uptime: Duration) -> PurgeTimes {
        looks.append((now, uptime))
        // One look that is old enough is kept, and all that are younger.
        while looks.count > 1, looks[1].uptime + lasting <= uptime { looks.removeFirst() }
        let briefly = times(of: brief, uptime)
        // A clock that is behind for less than that must not end what is alive, so the latest of the looks counts here.
        let limit = briefly?.max().map {
            ExpiryLimit(latest: $0, enrolmentCodeLife: enrolmentCodeLife, journeySessionLife: journeySessionLife)
        }
        return PurgeTimes(brief: briefly?.min(), lasting: times(of: lasting, uptime)?.min(), limit: limit)
    }

    /// The looks from the last one on that is `patience` old, moved on to now; nil if none is that old.
    private func times(of patience: Duration, _ uptime: Duration) -> [NumericDate]? {
        looks.lastIndex { $0.uptime + patience <= uptime }.map { start in
            looks[start...].map { $0.time + (uptime - $0.uptime) }
        }
    }
}
