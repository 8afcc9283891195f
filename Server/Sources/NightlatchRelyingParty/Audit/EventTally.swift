package import NightlatchWire

/// How the events of the audit log are counted for ``EventFigures``: minute by minute, each once.
///
/// A store keeps the counts of each minute, and the minute up to which it has counted. Its verb counts the next minutes
/// in one transaction, so several processes may count. A count depends only on the log: counting a minute again gives
/// the same number.
package enum EventTally {
    /// The kinds of events that are counted.
    package static let kinds: [AuditEvent.Kind] = [
        .loggedIn, .journeyLoggedIn, .remoteLoginCompleted, .pinKeysDestroyed, .requestsRefused,
    ]

    /// The number of minutes for which figures are given.
    package static let minutesInHour = 60
    package static let minutesInDay = 24 * 60

    /// The largest number of minutes that one transaction counts.
    private static let batch = 60
    /// The minutes before now that are not counted yet. A transaction waits at most seconds for its commit, and its
    /// entries have the time at which it began.
    private static let openMinutes = 1

    /// The minutes by which the clock may have been ahead without a new count.
    private static let clockTolerance = 5

    /// The minute of a time, since 1970.
    package static func minute(of time: NumericDate) -> Int { time.secondsSince1970 / 60 }

    /// The beginning of a minute.
    package static func start(of minute: Int) -> NumericDate { NumericDate(secondsSince1970: minute * 60) }

    /// The minutes to count next; nil if there are none.
    ///
    /// Minutes that are older than a day are left out. If the clock was ahead when minutes were counted, the last day
    /// is counted again.
    ///
    /// - Parameters:
    ///   - counted: The first minute that is not counted yet; nil if none is.
    ///   - oldest: The time of the oldest entry of the log; nil if the log is empty.
    ///   - now: The store's clock.
    package static func next(after counted: Int?, oldest: NumericDate?, now: NumericDate) -> Range<Int>? {
        guard let oldest else { return nil }
        let end = minute(of: now) - openMinutes
        let first = max(end - minutesInDay, minute(of: oldest))
        let start = if let counted, counted <= end + clockTolerance { max(counted, first) } else { first }
        return start < end ? start..<min(end, start + batch) : nil
    }

    /// The refused requests in entries of the log, by minute and cause.
    package static func refusals(in entries: [AuditEntry]) -> [(minute: Int, problem: ProblemCode, count: Int)] {
        struct Key: Hashable {
            let minute: Int
            let problem: ProblemCode
        }
        var counts: [Key: Int] = [:]
        for entry in entries {
            guard let problem = entry.event.problem, let count = entry.event.count else { continue }
            counts[Key(minute: minute(of: entry.at), problem: problem), default: 0] += count
        }
        return counts.map { ($0.key.minute, $0.key.problem, $0.value) }
    }
}
