package import NightlatchWire

/// The times before which a store may delete expired records, safe against a wall clock that is wrong for a while.
///
/// Each reading of the wall clock is advanced by the monotonic clock, and the earliest of the recent readings counts.
/// Recent means the last quarter of an hour for records that live for minutes, and the last nine hours for all others.
/// If the wall clock jumps ahead, the jump causes no deletion until this period has really passed. By then a used
/// record has really expired, so it is not accepted again when the clock is corrected. A process that has just started
/// has no readings and permits no deletion.
package struct PurgeHorizon: Sendable {
    private let brief: Duration
    private let lasting: Duration
    /// The lifetimes of an enrolment code and of a journey session; nil if they are not shortened.
    private let enrolmentCodeLife: Duration?
    private let journeySessionLife: Duration?
    /// The readings, ordered by uptime.
    private var looks: [(time: NumericDate, uptime: Duration)] = []

    /// Longer than the lifetime of a challenge and of a journey's question.
    private static let brief: Duration = .seconds(15 * 60)
    /// Longer than the lifetime of a journey message (up to an hour) and of a console session.
    private static let lasting = ConsoleSession.longestLife + .seconds(60 * 60)

    /// - Parameters:
    ///   - challengeLife: The lifetime of a challenge.
    ///   - enrolmentCodeLife: The lifetime of an enrolment code.
    ///   - journeySessionLife: The lifetime of a journey session; nil if there are no journeys.
    package init(challengeLife: Duration, enrolmentCodeLife: Duration, journeySessionLife: Duration?) {
        let brief = max(Self.brief, challengeLife + ChallengeUse.retention)
        self.init(
            brief: brief, lasting: max(Self.lasting, brief), enrolmentCodeLife: enrolmentCodeLife,
            journeySessionLife: journeySessionLife)
    }

    /// - Parameters:
    ///   - brief: The time to wait after a jump before records that live for minutes are deleted, and before lifetimes
    ///     are shortened.
    ///   - lasting: The time to wait after a jump before all other records are deleted; at least `brief`.
    ///   - enrolmentCodeLife: The lifetime of an enrolment code; nil if it is not shortened.
    ///   - journeySessionLife: The lifetime of a journey session; nil if it is not shortened.
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

    /// The time by which the wall clock was set forward since the last reading; negative if it was set back.
    ///
    /// Nil before the first reading.
    package func jump(clock now: NumericDate, uptime: Duration) -> Duration? {
        looks.last.map { now - ($0.time + (uptime - $0.uptime)) }
    }

    /// Records a reading, and returns the times before which expired records may be deleted and the limits of
    /// lifetimes.
    ///
    /// - Parameters:
    ///   - now: The time of the wall clock.
    ///   - uptime: The time of a monotonic clock, with any origin.
    package mutating func times(clock now: NumericDate, uptime: Duration) -> PurgeTimes {
        looks.append((now, uptime))
        // Keeps one reading that is old enough, and all newer readings.
        while looks.count > 1, looks[1].uptime + lasting <= uptime { looks.removeFirst() }
        let briefly = times(of: brief, uptime)
        // A clock that is behind for less than this time must not end records that are still valid. The latest reading
        // therefore counts here.
        let limit = briefly?.max().map {
            ExpiryLimit(latest: $0, enrolmentCodeLife: enrolmentCodeLife, journeySessionLife: journeySessionLife)
        }
        return PurgeTimes(brief: briefly?.min(), lasting: times(of: lasting, uptime)?.min(), limit: limit)
    }

    /// The newest reading that is at least `patience` old and all later readings, each advanced to now; nil if no
    /// reading is that old.
    private func times(of patience: Duration, _ uptime: Duration) -> [NumericDate]? {
        looks.lastIndex { $0.uptime + patience <= uptime }.map { start in
            looks[start...].map { $0.time + (uptime - $0.uptime) }
        }
    }
}
