import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import Synchronization
import Testing

@Suite("Readiness")
struct ReadinessTests {
    /// A store whose checks are counted, and a clock that moves only on command.
    private final class Script: Sendable {
        let checks = Mutex(0)
        let failure = Mutex<RelyingPartyStoreError?>(nil)
        let time = Mutex(ContinuousClock.now)

        var readiness: Readiness {
            Readiness(
                life: .seconds(1), now: { self.time.withLock { $0 } },
                check: {
                    self.checks.withLock { $0 += 1 }
                    await Task.yield()
                    return self.failure.withLock { $0 }
                })
        }

        func pass(_ duration: Duration) {
            time.withLock { $0 += duration }
        }
    }

    @Test("The store is checked once a second, however many requests arrive at once")
    func asksOnce() async throws {
        let script = Script()
        let readiness = script.readiness
        for second in 1...3 {
            _ = try await inParallel(100) { try await readiness.require() }
            script.pass(.milliseconds(999))
            try await readiness.require()
            #expect(script.checks.withLock { $0 } == second)
            script.pass(.milliseconds(1))
        }
    }

    @Test("A failure is also reported for a second, and ends when the store works again")
    func failure() async throws {
        let script = Script()
        let readiness = script.readiness
        script.failure.withLock { $0 = RelyingPartyStoreError(.full) }
        await #expect(throws: RelyingPartyStoreError(.full)) { try await readiness.require() }
        script.failure.withLock { $0 = nil }
        await #expect(throws: RelyingPartyStoreError(.full)) { try await readiness.require() }
        script.pass(.seconds(1))
        try await readiness.require()
    }
}
