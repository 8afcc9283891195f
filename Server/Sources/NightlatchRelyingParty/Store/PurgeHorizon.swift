package import NightlatchWire

/// Up to which times a store may forget what has expired, if its wall clock may be wrong for a while.
///
/// Each look at the wall clock is moved on by the steady clock, and the earliest of the last looks counts: of a quarter of an hour for what lives
/// for minutes, of nine hours for everything else. So where the wall clock jumps ahead, nothing is forgotten because of that until so much time
/// has really passed. By then what was used before has really expired, and does not serve again when the clock is put right. A process that has
/// just started knows nothing of the clock and lets nothing be forgotten.
package struct PurgeHorizon: Sendable {
    private let brief: Duration
    private let lasting: Duration
    /// In the order of their uptimes.
    private var looks: [(time: NumericDate, uptime: Duration)] = []

    /// More than a challenge and a journey's question live.
    private static let brief: Duration = .seconds(15 * 60)
    /// More than a message of a journey (up to an hour) and a console session live.
    private static let lasting = ConsoleSession.longestLife + .seconds(60 * 60)

    /// - Parameter challengeLife: How long a challenge lives.
    package init(challengeLife: Duration) {
        let brief = max(Self.brief, challengeLife + ChallengeUse.retention)
        self.init(brief: brief, lasting: max(Self.lasting, brief))
    }

    /// - Parameters:
    ///   - brief: How long a jump is waited out by what lives for minutes.
    ///   - lasting: The same for everything else; `brief` at least.
    package init(brief: Duration, lasting: Duration) {
        self.brief = brief
        self.lasting = lasting
    }

    /// Takes a look, and says up to when what has expired may be forgotten.
    ///
    /// - Parameters:
    ///   - now: What the wall clock says.
    ///   - uptime: The time of a clock that no one sets, from any moment on.
    package mutating func times(clock now: NumericDate, uptime: Duration) -> PurgeTimes {
        looks.append((now, uptime))
        // One look that is old enough is kept, and all that are younger.
        while looks.count > 1, looks[1].uptime + lasting <= uptime { looks.removeFirst() }
        return PurgeTimes(brief: time(after: brief, uptime), lasting: time(after: lasting, uptime))
    }

    /// The earliest of the looks from the last one on that is `patience` old; nil if none is.
    private func time(after patience: Duration, _ uptime: Duration) -> NumericDate? {
        looks.lastIndex { $0.uptime + patience <= uptime }.flatMap { start in
            looks[start...].map { $0.time + (uptime - $0.uptime) }.min()
        }
    }
}
