package import NightlatchWire
import Synchronization

/// The sessions that were signed out before they would have ended, in memory of bounded size: each is forgotten once it would have
/// ended anyway. If there are more than there is room for, all that had begun by then are ended.
package final class EndedConsoleSessions: Sendable {
    private let capacity: Int
    private let state = Mutex(State())

    private struct State {
        /// When each would have ended.
        var ends: [ConsoleSessionID: NumericDate] = [:]
        /// What began before this is ended.
        var firstStart = NumericDate(secondsSince1970: 0)
    }

    package init(capacity: Int = 1024) {
        self.capacity = capacity
    }

    /// Ends `session`. Again changes nothing.
    package func insert(_ session: ConsoleSession, now: NumericDate) {
        state.withLock { state in
            if state.ends.count >= capacity { state.ends = state.ends.filter { now < $0.value } }
            if state.ends.count >= capacity {
                state.ends = [:]
                state.firstStart = now + .seconds(1)
            }
            state.ends[session.id] = session.endsAt
        }
    }

    package func contains(_ session: ConsoleSession) -> Bool {
        state.withLock { $0.ends[session.id] != nil || session.startedAt < $0.firstStart }
    }
}
