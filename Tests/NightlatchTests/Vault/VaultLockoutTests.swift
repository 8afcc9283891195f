import Nightlatch
import NightlatchTesting
import Testing

@Suite("Lockout of a vault")
struct VaultLockoutTests {
    @Test("The login policy has its waits, then the end", arguments: StoreKind.allCases)
    func login(kind: StoreKind) async throws {
        let place = kind.make()
        let clock = ManualClock()
        let vault = Vault.forTests(place.store, clock: clock)
        let open = try await vault.create(TestPin.right)
        for (index, seconds) in [0, 0, 30, 300, 1800, 1800, 1800, 1800, 1800].enumerated() {
            let triesLeft = 9 - index
            let wait: Duration? = seconds == 0 ? nil : .seconds(seconds)
            await #expect(throws: UnlockError.refused(.wrong(triesLeft: triesLeft, wait: wait))) {
                try await vault.unlock(TestPin.wrong)
            }
            guard let wait else { continue }
            #expect(try await vault.state() == .waiting(wait, triesLeft: triesLeft))
            clock.advance(by: wait - .milliseconds(1))
            #expect(try await vault.state() == .waiting(.milliseconds(1), triesLeft: triesLeft))
            let before = try await place.store.read()
            await #expect(throws: UnlockError.refused(.waiting(.milliseconds(1), triesLeft: triesLeft))) {
                try await vault.unlock(TestPin.right)
            }
            #expect(try await place.store.read() == before, "asking too early was written down twice")
            clock.advance(by: .milliseconds(1))
            #expect(try await vault.state() == .ready(triesLeft: triesLeft))
        }
        await #expect(throws: UnlockError.refused(.blocked(.newCredentials))) { try await vault.unlock(TestPin.wrong) }
        #expect(try await vault.state() == .blocked(.newCredentials))
        #expect(try await !place.store.hasPinSlot())

        let ended = try await place.store.read()
        await #expect(throws: UnlockError.refused(.blocked(.newCredentials))) { try await vault.unlock(TestPin.right) }
        await #expect(throws: ChangePinError.refused(.blocked(.newCredentials))) {
            try await vault.changePin(TestPin.right, to: TestPin.new)
        }
        await #expect(throws: CreateVaultError.exists) { try await vault.create(TestPin.new) }
        await #expect(throws: VaultError.superseded) { try await open.names() }
        #expect(try await place.store.read() == ended)
    }

    @Test("The right PIN after every wait opens and resets the count")
    func rightAfterNine() async throws {
        let clock = ManualClock()
        let vault = Vault.forTests(MemoryStore(), clock: clock)
        try await vault.create(TestPin.right)
        for _ in 0..<9 {
            await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) }
            clock.advance(by: .seconds(1800))
        }
        #expect(try await vault.state() == .ready(triesLeft: 1))
        try await vault.unlock(TestPin.right)
        #expect(try await vault.state() == .ready(triesLeft: 10))
    }

    @Test("After a restart the rest of the wait is written once", arguments: StoreKind.allCases)
    func reboot(kind: StoreKind) async throws {
        let place = kind.make()
        let clock = ManualClock()
        let vault = Vault.forTests(place.store, clock: clock)
        try await vault.create(TestPin.right)
        for _ in 0..<3 { await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) } }
        clock.advance(by: .seconds(29))
        clock.reboot(uptime: .seconds(5))
        let refusal = UnlockError.refused(.waiting(.seconds(25), triesLeft: 7))
        await #expect(throws: refusal) { try await vault.unlock(TestPin.right) }
        let rebased = try await place.store.read()
        #expect(try await place.store.json()["ledger", "clock_ms"] == .unsigned(5000))
        #expect(try await place.store.json()["ledger", "wait_ms"] == .unsigned(25_000))
        await #expect(throws: refusal) { try await vault.unlock(TestPin.right) }
        #expect(try await place.store.read() == rebased)
        clock.advance(by: .seconds(25))
        try await vault.unlock(TestPin.right)
    }

    @Test("An interrupted attempt counts, whatever its PIN", arguments: [TestPin.right, TestPin.wrong])
    func interrupted(digits: String) async throws {
        let store = FaultyStore(MemoryStore())
        let vault = Vault.forTests(store)
        try await vault.create(TestPin.right)
        try await interrupt(vault, store, digits)
        #expect(try await vault.state() == .ready(triesLeft: 9))
    }

    @Test("An interrupted last attempt blocks and removes nothing", arguments: [TestPin.right, TestPin.wrong])
    func interruptedLast(digits: String) async throws {
        let store = FaultyStore(MemoryStore())
        let vault = Vault.forTests(store, policy: try LockoutPolicy(firstWaitAfter: 2, waits: [.seconds(1)], limit: 2))
        try await vault.create(TestPin.right)
        await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) }
        try await interrupt(vault, store, digits)
        #expect(try await vault.state() == .blocked(.newCredentials))
        #expect(try await store.hasPinSlot())
        let before = try await store.read()
        await #expect(throws: UnlockError.refused(.blocked(.newCredentials))) { try await vault.unlock(TestPin.right) }
        #expect(try await store.read() == before)
    }

    @Test("A cancelled task gets its error before an attempt is charged")
    func cancelled() async throws {
        let store = MemoryStore()
        let vault = Vault.forTests(store)
        try await vault.create(TestPin.right)
        let before = try await store.read()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await vault.unlock(TestPin.right)
        }
        task.cancel()
        await #expect(throws: UnlockError.cancelled) { try await task.value }
        #expect(try await store.read() == before)
    }

    /// Unlocks while the store fails right after the charge.
    private func interrupt(_ vault: Vault, _ store: FaultyStore, _ digits: String) async throws {
        store.fail(at: 1, .after)
        await #expect(throws: UnlockError.vault(.store(StoreError(.unavailable)))) { try await vault.unlock(digits) }
        store.repair()
    }
}
