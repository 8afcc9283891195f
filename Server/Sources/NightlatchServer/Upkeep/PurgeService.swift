package import Logging
package import NightlatchRelyingParty
import NightlatchWire
import ServiceLifecycle

/// Maintains the store every minute.
///
/// It purges expired records, destroys the keys of two-party PINs whose last guess was not proved in time, rotates the
/// keys that sign tokens, and prepares the operators' lists and figures. If the store does not answer, the next run
/// tries again.
package struct PurgeService<Store: RelyingPartyStore>: Service {
    private let store: Store
    private let guessLimit: GuessLimit
    private let keys: TokenKeys
    private let timing: PurgeTiming
    private let logger: Logger

    /// Creates the service. It does nothing before it runs.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - guessLimit: The largest number of guesses at a two-party PIN.
    ///   - keys: The keys that sign tokens.
    ///   - timing: When to run, and by which clocks.
    ///   - logger: The log for errors of the store.
    package init(
        store: Store,
        guessLimit: GuessLimit,
        keys: TokenKeys,
        timing: PurgeTiming,
        logger: Logger
    ) {
        self.store = store
        self.guessLimit = guessLimit
        self.keys = keys
        self.timing = timing
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var horizon = timing.horizon
            repeat {
                let (now, uptime) = (timing.clock.now(), timing.uptime())
                if let jump = horizon.jump(clock: now, uptime: uptime),
                    abs(jump.components.seconds) > MessageLife.clockTolerance.components.seconds
                {
                    logger.warning(
                        "The clock was set", metadata: ["seconds": .stringConvertible(Int(jump.components.seconds))])
                }
                let times = horizon.times(clock: now, uptime: uptime)
                await attempt("Failed to purge the store") { try await store.purgeExpired(before: times) }
                await attempt("Failed to destroy due two-party PINs") {
                    try await store.destroyDuePinKeys(guessLimit: guessLimit.count)
                }
                await attempt("Failed to rotate the signing keys") {
                    try await keys.maintain(now: timing.clock.now())
                }
                // Both end: each call does a part of the work that is left, and the next run does what is added since.
                await attempt("Failed to fold names for searches") {
                    while try await store.foldNames(), !Task.isCancelled {}
                }
                await attempt("Failed to count the events of the audit log") {
                    while try await store.countEvents(), !Task.isCancelled {}
                }
            } while await timing.recurrence.isDue()
        }
    }

    /// Runs `work`, unless the relying party is stopping. If the relying party stops during the work, errors are not
    /// logged, because the next start repeats the work.
    ///
    /// - Parameters:
    ///   - complaint: The log message for an error.
    ///   - work: The work.
    private func attempt(_ complaint: Logger.Message, _ work: () async throws -> Void) async {
        guard !Task.isCancelled else { return }
        do {
            try await work()
        } catch {
            guard !Task.isCancelled else { return }
            logger.error(complaint, metadata: ["reason": .string("\(error)")])
        }
    }
}
