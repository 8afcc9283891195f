import Logging
import ServiceLifecycle

/// Has the store forget, every minute, what can no longer serve, and sees to the keys that sign tokens. A store that does not answer is asked again next time.
struct PurgeService<Store: RelyingPartyStore>: Service {
    private static var interval: Duration { .seconds(60) }

    let store: Store
    let guessLimit: GuessLimit
    let keys: TokenKeys
    let clock: WallClock
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await store.purgeExpired()
                } catch {
                    // Asked to stop, the store did not come to its end; the next start goes on.
                    guard !Task.isCancelled else { return }
                    logger.error("The store was not purged", metadata: ["reason": .string("\(error)")])
                }
                do {
                    try await store.destroyDuePinKeys(guessLimit: guessLimit.count)
                } catch {
                    guard !Task.isCancelled else { return }
                    logger.error("Some two-party PINs were not looked after", metadata: ["reason": .string("\(error)")])
                }
                do {
                    try await keys.maintain(now: clock.now())
                } catch {
                    guard !Task.isCancelled else { return }
                    logger.error("The signing keys were not looked after", metadata: ["reason": .string("\(error)")])
                }
                do {
                    try await Task.sleep(for: Self.interval)
                } catch {
                    return
                }
            }
        }
    }
}
