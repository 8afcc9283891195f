package import Logging
package import NightlatchRelyingParty
import ServiceLifecycle

/// Writes down every minute, and when the relying party stops, how often requests were refused: one entry for each cause, and none
/// where there was no refusal. A process that is killed takes the last minute's counts with it.
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

    /// Counts that the store does not take are kept for the next time.
    private func write() async {
        for (code, count) in tally.take() {
            do {
                try await store.audit(AuditEvent(.requestsRefused, by: .server, problem: code, count: count))
            } catch {
                tally.add(count, of: code)
                logger.error("Refusals were not written down", metadata: ["reason": .string("\(error)")])
            }
        }
    }
}
