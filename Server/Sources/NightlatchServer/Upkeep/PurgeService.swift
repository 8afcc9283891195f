package import Logging
package import NightlatchRelyingParty
import NightlatchWire
import ServiceLifecycle

/// Has the store forget, every minute, what can no longer serve, ends two-party PINs that are due, and sees to the keys that sign tokens. A
/// store that does not answer is asked again next time.
package struct PurgeService<Store: RelyingPartyStore>: Service {
    private let store: Store
    private let guessLimit: GuessLimit
    private let keys: TokenKeys
    private let clock: WallClock
    private let uptime: @Sendable () -> Duration
    private let horizon: PurgeHorizon
    private let recurrence: Recurrence
    private let logger: Logger

    /// - Parameters:
    ///   - store: Where it is done.
    ///   - guessLimit: How many guesses a two-party PIN has.
    ///   - keys: The keys that sign tokens.
    ///   - clock: The wall clock.
    ///   - uptime: The time of a clock that no one sets; nil for the system's.
    ///   - horizon: How long a jump of the wall clock is waited out.
    ///   - recurrence: When it is done.
    ///   - logger: What is told if the store does not answer.
    package init(
        store: Store,
        guessLimit: GuessLimit,
        keys: TokenKeys,
        clock: WallClock,
        uptime: (@Sendable () -> Duration)? = nil,
        horizon: PurgeHorizon,
        recurrence: Recurrence = Recurrence(every: .seconds(60)),
        logger: Logger
    ) {
        self.store = store
        self.guessLimit = guessLimit
        self.keys = keys
        self.clock = clock
        let start = ContinuousClock.now
        self.uptime = uptime ?? { .now - start }
        self.horizon = horizon
        self.recurrence = recurrence
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var horizon = horizon
            repeat {
                let (now, uptime) = (clock.now(), uptime())
                if let jump = horizon.jump(clock: now, uptime: uptime),
                    abs(jump.components.seconds) > MessageLife.clockTolerance.components.seconds
                {
                    logger.warning("The clock was set", metadata: ["seconds": "\(jump.components.seconds)"])
                }
                let times = horizon.times(clock: now, uptime: uptime)
                await attempt("The store was not purged") { try await store.purgeExpired(before: times) }
                await attempt("Some two-party PINs were not looked after") {
                    try await store.destroyDuePinKeys(guessLimit: guessLimit.count)
                }
                await attempt("The signing keys were not looked after") { try await keys.maintain(now: clock.now()) }
            } while await recurrence.isDue()
        }
    }

    /// - Parameters:
    ///   - complaint: What the log says if it fails.
    ///   - work: What is done, unless the relying party was asked to stop. If it is meanwhile, it may fail, and is gone on with at the next
    ///     start.
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
