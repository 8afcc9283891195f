package import Logging
package import NightlatchRelyingParty
import ServiceLifecycle

/// Writes the number of refused requests to the audit log: every minute and at stop, one entry for each problem code
/// that occurred.
///
/// If the process is killed, the counts of the last minute are lost.
package struct RefusalAudit<Store: RelyingPartyStore>: Service {
    private let tally: RefusalTally
    private let store: Store
    private let recurrence: Recurrence
    private let logger: Logger

    package init(
        tally: RefusalTally,
        store: Store,
        recurrence: Recurrence = Recurrence(every: .seconds(60)),
        logger: Logger
    ) {
        self.tally = tally
        self.store = store
        self.recurrence = recurrence
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while await recurrence.isDue() { await write() }
        }
        await write()
    }

    /// Writes the counts. Counts that the store does not accept are kept for the next run.
    private func write() async {
        for (code, count) in tally.take() {
            do {
                try await store.audit(AuditEvent(.requestsRefused, by: .server, problem: code, count: count))
            } catch {
                tally.add(count, of: code)
                logger.error("Failed to record refusals", metadata: ["reason": .string("\(error)")])
            }
        }
    }
}
