package import Logging
import NightlatchRelyingParty
import ServiceLifecycle
import Synchronization

/// Which kind of limit refused a request, or left it without a line in the log.
package enum LimitCause: String, CaseIterable, Sendable {
    /// Too many requests of one address, or about one account.
    case rate = "rate_limited"
    /// More under way than is answered at once.
    case load = "overloaded"
    /// Too many requests of one address for a health route. They are answered.
    case unlogged = "health"
}

extension Refusal {
    /// The limit that refused; nil for a refusal by anything else.
    package var limitCause: LimitCause? {
        switch self {
        case .rateLimited: .rate
        case .overloaded: .load
        default: nil
        }
    }
}

/// Writes down requests that a limit has refused or left without a line: every minute, and when the relying party stops, one line for each cause, with a count.
///
/// Such a request has no other line: with a line for each, an address would fill the disk by what it is refused. A process that is killed
/// takes the last minute's counts with it.
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
                cause == .unlogged ? "Answered requests without a line for each" : "A limit refused requests",
                metadata: ["cause": .string(cause.rawValue), "count": .stringConvertible(count)])
        }
    }
}
