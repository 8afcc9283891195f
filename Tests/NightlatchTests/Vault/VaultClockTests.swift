import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// A device has a real time, which it cannot read, and an uptime, which continues in sleep and restarts at each boot.
@Suite("Vaults and the continuous clock")
struct VaultClockTests {
    /// The first call that reads the clock after a boot.
    enum Asker: CaseIterable {
        /// A screen that shows the vault's state.
        case state
        /// An unlock with the right PIN.
        case unlock
    }

    private static let policies: [LockoutPolicy] = [.login, .payment, .wallet, .enterprise]

    @Test(
        "A boot at any moment of any wait makes it neither shorter nor endless, whichever call comes first",
        arguments: policies, [(Asker.state, true), (.state, false), (.unlock, true), (.unlock, false)])
    func boot(policy: LockoutPolicy, asked: (asker: Asker, tellsBoots: Bool)) async throws {
        let asker = asked.asker
        var situationCount = 0
        for stage in try await Self.waits(of: policy, tellsBoots: asked.tellsBoots) {
            let uptime = stage.uptime
            for moment in Self.moments(of: stage.wait) {
                // An uptime below the previous one, equal to it, and above it.
                for booted in Self.moments(of: stage.wait) + [uptime - .milliseconds(1), uptime, uptime + stage.wait] {
                    let clock = ManualClock(uptime: uptime, tellsBoots: asked.tellsBoots)
                    let store = MemoryStore()
                    store.plant(stage.record)
                    let vault = Vault.forTests(store, clock: clock, policy: policy)
                    // The time that has really passed since the failure, without the time without power.
                    clock.advance(by: moment)
                    clock.reboot(uptime: booted)
                    let passed = moment + booted
                    let situation: Comment = "\(stage.wait) wait, boot after \(moment), asked at \(booted)"

                    let left = try await Self.waitLeft(vault, asker)
                    #expect(passed + left >= stage.wait, situation)
                    #expect(left <= stage.wait, situation)
                    if asked.tellsBoots { #expect(left == max(.zero, stage.wait - booted), situation) }
                    if left > .zero {
                        clock.advance(by: left - .milliseconds(1))
                        #expect(try await Self.waitLeft(vault, asker) == .milliseconds(1), situation)
                        clock.advance(by: .milliseconds(1))
                    }
                    #expect(try await Self.waitLeft(vault, asker) == .zero, situation)
                    situationCount += 1
                }
            }
        }
        #expect(situationCount >= 100)
    }

    @Test("Time in sleep counts like any other time, however long")
    func asleep() async throws {
        for policy in Self.policies {
            for stage in try await Self.waits(of: policy) {
                let clock = ManualClock(uptime: stage.uptime)
                let store = MemoryStore()
                store.plant(stage.record)
                let vault = Vault.forTests(store, clock: clock, policy: policy)
                for _ in 0..<10 { clock.advance(by: stage.wait / 10 - .milliseconds(1)) }
                #expect(try await Self.waitLeft(vault, .state) == .milliseconds(10))
                // The rest of the wait, and ten years.
                for sleep in [Duration.milliseconds(10), .seconds(10 * 365 * 24 * 60 * 60)] {
                    clock.advance(by: sleep)
                    #expect(try await Self.waitLeft(vault, .state) == .zero)
                }
            }
        }
    }

    @Test("A wait ends once as much time has passed over several restarts", arguments: Asker.allCases)
    func manyBoots(asker: Asker) async throws {
        for policy in Self.policies {
            for stage in try await Self.waits(of: policy) {
                let clock = ManualClock(uptime: stage.uptime)
                let store = MemoryStore()
                store.plant(stage.record)
                let vault = Vault.forTests(store, clock: clock, policy: policy)
                var left = stage.wait
                for boot in 1...3 {
                    // Each uptime is a little shorter than the previous one, so that the clock has always gone back.
                    let uptime = stage.wait / 2 - .milliseconds(100 * boot)
                    clock.reboot(uptime: uptime)
                    left = max(.zero, left - uptime)
                    #expect(try await Self.waitLeft(vault, asker) == left, "boot \(boot)")
                }
                #expect(left == .zero)
            }
        }
    }

    @Test("A wait of a day ends on the second day, with one query each day after the same uptime of 23 hours")
    func sameUptimeEachDay() async throws {
        let policy = try LockoutPolicy(firstWaitAfter: 1, waits: [.seconds(86_400)], limit: 5)
        let clock = ManualClock(uptime: .seconds(23 * 3600))
        let vault = Vault.forTests(MemoryStore(), clock: clock, policy: policy)
        try await vault.create(TestPin.right)
        await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) }
        clock.reboot(uptime: .seconds(23 * 3600))
        #expect(try await vault.state() == .waiting(.seconds(3600), triesLeft: 4))
        clock.reboot(uptime: .seconds(23 * 3600))
        try await vault.unlock(TestPin.right)
    }

    // MARK: A store that cannot be written

    @Test(
        "If the passed time cannot be written, a wait is still shown, and is neither shorter nor longer",
        arguments: Asker.allCases, FaultyStore.Fault.allCases)
    func unwritable(asker: Asker, fault: FaultyStore.Fault) async throws {
        for stage in try await Self.waits(of: .login) {
            let clock = ManualClock(uptime: stage.uptime)
            let memory = MemoryStore()
            memory.plant(stage.record)
            let store = FaultyStore(memory)
            let vault = Vault.forTests(store, clock: clock)
            var left = stage.wait
            for _ in 0..<3 {
                clock.advance(by: stage.wait / 5)
                left -= stage.wait / 5
                // The read works, and the write fails.
                store.fail(at: 1, fault)
                #expect(try await Self.waitLeft(vault, asker) == left)
                store.repair()
            }
            // Also after a restart, and as soon as the store can be written again.
            clock.reboot(uptime: .seconds(1))
            store.fail(at: 1, fault)
            let after = try await Self.waitLeft(vault, asker)
            #expect(after <= stage.wait - .seconds(1) && after >= left - .seconds(1))
            store.repair()
            #expect(try await Self.waitLeft(vault, asker) == after)
            clock.advance(by: after - .milliseconds(1))
            #expect(try await Self.waitLeft(vault, asker) == .milliseconds(1))
            clock.advance(by: .milliseconds(1))
            #expect(try await Self.waitLeft(vault, asker) == .zero)
        }
    }

    /// A vault right after a failure, and the wait that follows.
    private struct Stage {
        let record: StoredRecord
        let wait: Duration
        /// The continuous clock at the failure.
        let uptime: Duration
    }

    /// The first failure with each different wait of the policy.
    private static func waits(of policy: LockoutPolicy, tellsBoots: Bool = true) async throws -> [Stage] {
        let store = MemoryStore()
        let clock = ManualClock(uptime: .seconds(1000), tellsBoots: tellsBoots)
        let vault = Vault.forTests(store, clock: clock, policy: policy)
        try await vault.create(TestPin.right)
        var stages: [Stage] = []
        for _ in 1..<policy.limit {
            await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) }
            guard case .waiting(let wait, _) = try await vault.state() else { continue }
            if stages.last?.wait != wait {
                let record = try #require(try await store.read())
                stages.append(Stage(record: record, wait: wait, uptime: clock.continuousTime()))
            }
            clock.advance(by: wait)
        }
        return stages
    }

    /// Moments at the edges of a wait and inside it; for a short wait, every fourth second.
    private static func moments(of wait: Duration) -> [Duration] {
        let edges = [.zero, .milliseconds(1), wait / 3, wait - .milliseconds(1)]
        return edges + (wait > .seconds(30) ? [wait / 2] : stride(from: 1, to: 30, by: 4).map { .seconds($0) })
    }

    /// The rest of the wait; zero if an attempt is allowed. In that case, the record stays as it is.
    private static func waitLeft(_ vault: Vault, _ asker: Asker) async throws -> Duration {
        switch asker {
        case .state:
            switch try await vault.state() {
            case .waiting(let left, _): return left
            case .ready: return .zero
            case let state: throw Unexpected(description: "\(state)")
            }
        case .unlock:
            do {
                try await vault.unlock(TestPin.right)
                return .zero
            } catch UnlockError.refused(.waiting(let left, _)) {
                return left
            }
        }
    }

    private struct Unexpected: Error, CustomStringConvertible {
        let description: String
    }
}
