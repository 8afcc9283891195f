package import Logging
import NightlatchRelyingParty
import ServiceLifecycle
import Synchronization

/// The kind of limit that refused a request or suppressed its log line.
package enum LimitCause: String, CaseIterable, Sendable {
    /// Too many requests from one address or about one account.
    case rate = "rate_limited"
    /// Too many requests in progress.
    case load = "overloaded"
    /// Too many requests from one address for a health route. They are answered, but not logged.
    case unlogged = "health"
}

extension Refusal {
    /// The limit that refused the request; nil for every other refusal.
    package var limitCause: LimitCause? {
        switch self {
        case .rateLimited: .rate
        case .overloaded: .load
        default: nil
        }
    }
}

/// Logs the number of requests that a limit refused or whose log line it suppressed: every minute and at stop, one line
/// for each cause.
///
/// Such requests have no other log line, so that a client cannot fill the disk with refused requests. If the process is
/// killed, the counts of the last minute are lost.
package final class LimitLog: Service {
    private let byRate = Atomic(0)
    private let byLoad = Atomic(0)
    private let unlogged = Atomic(0)
    private let recurrence: Recurrence
    private let logger: Logger

    package init(recurrence: Recurrence = Recurrence(every: .seconds(60)), logger: Logger) {
        self.recurrence = recurrence
        self.logger = logger
    }

    /// Counts a request.
    func note(_ cause: LimitCause) {
        switch cause {
        case .rate: byRate.wrappingAdd(1, ordering: .relaxed)
        case .load: byLoad.wrappingAdd(1, ordering: .relaxed)
        case .unlogged: unlogged.wrappingAdd(1, ordering: .relaxed)
        }
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            while await recurrence.isDue() { write() }
        }
        write()
    }

    private func write() {
        for cause in LimitCause.allCases {
            let count =
                switch cause {
                case .rate: byRate.exchange(0, ordering: .relaxed)
                case .load: byLoad.exchange(0, ordering: .relaxed)
                case .unlogged: unlogged.exchange(0, ordering: .relaxed)
                }
            guard count > 0 else { continue }
            logger.warning(
                cause == .unlogged ? "Answered requests without individual log lines" : "A limit refused requests",
                metadata: ["cause": .string(cause.rawValue), "count": .stringConvertible(count)])
        }
    }
}
