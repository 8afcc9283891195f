import Logging
import Synchronization

/// Logs that the server cannot be reached, and that it can be reached again. It logs at most once in ten seconds,
/// however many verbs fail.
final class ReachabilityLog: Sendable {
    private static let interval: Duration = .seconds(10)

    private let logger: Logger
    /// The time from which to log again that the server cannot be reached; nil while it can be reached.
    private let nextReport = Mutex<ContinuousClock.Instant?>(nil)

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// Records that the server was not reached.
    ///
    /// - Parameter reason: libpq's message about connecting: hosts, ports and roles, but no password.
    func noteFailure(_ reason: @autoclosure () -> String) {
        let now = ContinuousClock.now
        let isDue = nextReport.withLock { nextReport in
            if let nextReport, now < nextReport { return false }
            nextReport = now + Self.interval
            return true
        }
        if isDue { logger.warning("The database is unreachable", metadata: ["reason": .string(reason())]) }
    }

    func noteSuccess() {
        let wasAway = nextReport.withLock { nextReport in
            defer { nextReport = nil }
            return nextReport != nil
        }
        if wasAway { logger.notice("The database is reachable again") }
    }
}
