package import NightlatchWire
import Synchronization

/// The recent jumps of a wall clock, found by a clock that cannot be set.
///
/// A wait that is measured by the wall clock ends early if that clock jumps ahead, and late if it jumps back. With this
/// history a process measures a wait by the time that has really passed.
///
/// The history covers ``GuessRounds/longestWait`` and the time since the process started. A jump while no process ran
/// is not seen.
package struct ClockHistory: Sendable {
    /// A time in which the clock made no jump.
    struct Run: Hashable, Sendable {
        /// The wall clock's time when the other clock was at zero.
        let origin: Int
        /// The other clock at the first reading, in seconds.
        let first: Int
        /// The other clock at the last reading, in seconds.
        var last: Int
    }

    /// Two readings differ by a second because they are whole seconds, and by more if an answer was late.
    fileprivate static let tolerance = 3
    private static let countLimit = 100

    private var runs: [Run] = []

    package init() {}

    /// Records a reading.
    ///
    /// - Parameters:
    ///   - now: The time of the wall clock.
    ///   - uptime: The time of a clock that cannot be set, with any origin.
    package mutating func read(_ now: NumericDate, uptime: Duration) -> StepTime {
        let uptime = Int(clamping: uptime.components.seconds)
        let origin = now.secondsSince1970 - uptime
        if let run = runs.last, abs(run.origin - origin) <= Self.tolerance {
            runs[runs.count - 1].last = max(run.last, uptime)
        } else {
            runs.append(Run(origin: origin, first: uptime, last: uptime))
        }
        let oldest = uptime - PinWait.longestSeconds
        while runs.count > Self.countLimit || runs.count > 1 && runs[1].first < oldest { runs.removeFirst() }
        return StepTime(now: now, runs: runs)
    }
}

/// A wall clock and its recent jumps, for all threads of a store.
package final class ObservedClock: Sendable {
    private let history = Mutex(ClockHistory())
    private let uptime: @Sendable () -> Duration

    /// - Parameter uptime: A clock that cannot be set.
    package init(uptime: @escaping @Sendable () -> Duration) {
        self.uptime = uptime
    }

    /// Reads the clock that cannot be set, for a reading of the wall clock that follows, on any thread.
    package func beginReading() -> Reading { Reading(clock: self, uptime: uptime()) }

    /// A reading that was begun.
    package struct Reading: Sendable {
        fileprivate let clock: ObservedClock
        fileprivate let uptime: Duration
        private let begin = ContinuousClock.now

        fileprivate init(clock: ObservedClock, uptime: Duration) {
            self.clock = clock
            self.uptime = uptime
        }

        /// Records that the wall clock shows `now`, and returns that with the jumps before it.
        package func time(_ now: NumericDate) -> StepTime {
            let uptime = uptime + (ContinuousClock.now - begin)
            return clock.history.withLock { $0.read(now, uptime: uptime) }
        }
    }
}

/// The time of a step by its store's clock, with the recent jumps of that clock.
package struct StepTime: Hashable, Sendable {
    package let now: NumericDate
    /// Oldest first; the last one contains `now`.
    private let runs: [ClockHistory.Run]

    /// The time by a clock of which no jump is known.
    package init(_ now: NumericDate) {
        self.init(now: now, runs: [])
    }

    fileprivate init(now: NumericDate, runs: [ClockHistory.Run]) {
        self.now = now
        self.runs = runs
    }

    /// The moment at which the clock showed `time`, as the clock would show it if it had run then as it runs now. If
    /// several moments are possible, the latest one. It is never later than `now`.
    ///
    /// - Returns: Nil for a time that is later than `now`, unless the clock is known to have shown it.
    package func moment(_ time: NumericDate) -> NumericDate? {
        guard let newest = runs.last else { return time <= now ? time : nil }
        let uptimeNow = now.secondsSince1970 - newest.origin
        let possible = runs.indices.compactMap { place -> Int? in
            // The jump into and out of a run was between two readings.
            let begin = place > 0 ? runs[place - 1].last : .min
            let end = place < runs.count - 1 ? runs[place + 1].first : uptimeNow + ClockHistory.tolerance
            let uptime = time.secondsSince1970 - runs[place].origin
            return begin <= uptime && uptime <= end ? min(uptime, uptimeNow) : nil
        }
        if let latest = possible.max() { return NumericDate(secondsSince1970: latest + newest.origin) }
        // The clock jumped over this time, which comes from a slightly different clock: not later than the jump.
        return time <= now ? NumericDate(secondsSince1970: newest.first + newest.origin) : nil
    }
}
