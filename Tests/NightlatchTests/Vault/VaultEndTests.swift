import Nightlatch
import NightlatchTesting
import Testing

/// The effect of the last failure, and the ways to recover.
@Suite("The end of a vault's PIN")
struct VaultEndTests {
    private let store = MemoryStore()
    private let keyring = ScriptedBiometrics()
    private let clock = ManualClock()

    @Test(
        "The last wrong PIN has the effect of its policy, and so has giving up the PIN",
        arguments: [.login, .payment, .wallet, .enterprise] as [LockoutPolicy], [true, false])
    func end(policy: LockoutPolicy, isGivenUp: Bool) async throws {
        let vault = try await makeVault(policy)
        let refusal = try await reachEnd(of: vault, policy, isGivenUp: isGivenUp)
        switch policy.end {
        case .newCredentials:
            #expect(refusal == .blocked(.newCredentials))
            #expect(try await vault.state() == .blocked(.newCredentials))
            #expect(try await vault.slots() == [.biometrics, .recoveryPhrase])
        case .recoveryPhrase:
            #expect(refusal == .blocked(.recoveryPhrase))
            #expect(try await vault.state() == .blocked(.recoveryPhrase))
            #expect(try await vault.slots() == [.recoveryPhrase])
        case .wipe:
            #expect(refusal == .erased)
            #expect(try await vault.state() == .erased)
            #expect(try await store.json()["ended"]?.text == "wiped")
            #expect(keyring.keys.isEmpty)
            return
        }
        // The former PIN no longer opens the vault, and an attempt with it is not charged.
        let before = try await store.read()
        await #expect(throws: UnlockError.refused(refusal)) { try await vault.unlock(TestPin.right) }
        #expect(try await vault.giveUpPin() == refusal)
        #expect(try await store.json()["sealed"] == JSONTree(#require(before))["sealed"])
    }

    @Test("A PIN can also be given up during a wait; without a vault there is no PIN to give up")
    func giveUpWhileWaiting() async throws {
        let vault = try await makeVault(.login)
        for _ in 0..<3 { await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) } }
        #expect(try await vault.giveUpPin() == .blocked(.newCredentials))
        await #expect(throws: UnlockError.noVault) { try await Vault.forTests(MemoryStore()).giveUpPin() }
    }

    @Test("Only the phrase opens a locked wallet, and sets a new PIN; then biometrics are set up again")
    func wallet() async throws {
        let vault = try await makeVault(.wallet)
        _ = try await reachEnd(of: vault, .wallet, isGivenUp: false)
        await #expect(throws: BiometricUnlockError.blocked(.recoveryPhrase)) {
            try await vault.unlockWithBiometrics(reason: "reason")
        }
        let before = try await store.read()
        await #expect(throws: RecoveryError.wrongPhrase) {
            try await vault.recover(TestPhrase.wrong, newPin: TestPin.new)
        }
        await #expect(throws: RecoveryError.newPinRefused([.common(.run)])) {
            try await vault.recover(TestPhrase.right, newPin: "123456")
        }
        #expect(try await store.read() == before)
        let open = try await vault.recover(TestPhrase.right, newPin: TestPin.new)
        #expect(try await open.texts() == ["wallet": "seed"])
        try await open.setUpBiometrics()
        #expect(try await vault.state() == .ready(triesLeft: 10))
        #expect(try await vault.unlock(TestPin.new).texts() == ["wallet": "seed"])
        #expect(try await vault.unlockWithBiometrics(reason: "reason").texts() == ["wallet": "seed"])
        #expect(try await vault.recover(TestPhrase.right, newPin: TestPin.newest).texts() == ["wallet": "seed"])
    }

    @Test("An interrupted last attempt blocks, but removes and erases nothing", arguments: LockoutEnd.allCases)
    func interruptedLastAttempt(end: LockoutEnd) async throws {
        let policy = try LockoutPolicy(firstWaitAfter: 1, waits: [.seconds(1)], limit: 2, end: end)
        let faulty = FaultyStore(store)
        let vault = Vault.forTests(faulty, clock: clock, policy: policy, biometrics: keyring)
        let open = try await vault.create(TestPin.right)
        try await open.setUpBiometrics()
        try await open.setUpRecovery(TestPhrase.right)
        await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) }
        clock.advance(by: .seconds(1))
        faulty.fail(at: 2, .before)
        await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) }
        faulty.repair()
        let slots = try await store.json()["sealed", "slots"]
        #expect(slots?.paths.filter { $0.count == 1 && $0 != ["biometric_key"] }.count == 3)
        #expect(try await vault.state() == .blocked(end == .recoveryPhrase ? .recoveryPhrase : .newCredentials))
        await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.right) }
        let biometricsOpen = try? await vault.unlockWithBiometrics(reason: "reason")
        #expect((biometricsOpen != nil) == (end != .recoveryPhrase))
        try await vault.recover(TestPhrase.right, newPin: TestPin.new, after: .checkedByApp())
        try await vault.unlock(TestPin.new)
    }

    @Test("The phrase ends a hard lock only with full credentials; before the lock, it alone replaces a forgotten PIN")
    func phraseUnderHardLock() async throws {
        let vault = try await makeVault(.login)
        try await vault.recover(TestPhrase.right, newPin: TestPin.new)
        _ = try await reachEnd(of: vault, .login, isGivenUp: false)
        await #expect(throws: RecoveryError.credentialsNeeded) {
            try await vault.recover(TestPhrase.right, newPin: TestPin.newest)
        }
        try await vault.recover(TestPhrase.right, newPin: TestPin.newest, after: .checkedByApp())
        try await vault.unlock(TestPin.newest)
    }

    @Test("A locked wallet without a phrase does not ask for one")
    func walletWithoutPhrase() async throws {
        let vault = Vault.forTests(store, clock: clock, policy: .wallet)
        try await vault.create(TestPin.right)
        #expect(try await vault.giveUpPin() == .blocked(.newCredentials))
        await #expect(throws: RecoveryError.notSetUp) { try await vault.recover(TestPhrase.right, newPin: TestPin.new) }
    }

    @Test("A phrase is replaced, and removed, at once")
    func phraseChange() async throws {
        let vault = try await makeVault(.wallet)
        let open = try await vault.unlock(TestPin.right)
        try await open.setUpRecovery(TestPhrase.wrong)
        await #expect(throws: RecoveryError.wrongPhrase) {
            try await vault.recover(TestPhrase.right, newPin: TestPin.new)
        }
        try await open.removeRecovery()
        await #expect(throws: RecoveryError.notSetUp) { try await vault.recover(TestPhrase.wrong, newPin: TestPin.new) }
        #expect(try await vault.slots() == [.pin, .biometrics])
    }

    @Test("Only its phrase ends a wallet's lock: full credentials and an open vault set no PIN")
    func walletUnderCredentials() async throws {
        let vault = try await makeVault(.wallet)
        let open = try await vault.unlock(TestPin.right)
        let faulty = FaultyStore(store)
        for _ in 0..<LockoutPolicy.wallet.limit - 1 {
            await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) }
            clock.advance(by: .seconds(24 * 60 * 60))
        }
        // The last attempt is interrupted: it blocks, and leaves the slot and the open vault.
        faulty.fail(at: 2, .before)
        await #expect(throws: UnlockError.self) {
            try await Vault.forTests(faulty, clock: clock, policy: .wallet).unlock(TestPin.wrong)
        }
        #expect(try await vault.state() == .blocked(.recoveryPhrase))
        await #expect(throws: SetPinError.recoveryPhraseNeeded) { try await open.setPin(TestPin.new) }
        try await vault.recover(TestPhrase.right, newPin: TestPin.new)
    }

    private func makeVault(_ policy: LockoutPolicy) async throws -> Vault {
        let vault = Vault.forTests(store, clock: clock, policy: policy, biometrics: keyring)
        let open = try await vault.create(TestPin.right)
        try await open.set("seed", named: "wallet")
        try await open.setUpBiometrics()
        try await open.setUpRecovery(TestPhrase.right)
        return vault
    }

    private func reachEnd(of vault: Vault, _ policy: LockoutPolicy, isGivenUp: Bool) async throws -> PinRefusal {
        guard !isGivenUp else { return try await vault.giveUpPin() }
        var last: PinRefusal?
        for _ in 0..<policy.limit {
            do {
                try await vault.unlock(TestPin.wrong)
            } catch UnlockError.refused(let refusal) {
                last = refusal
            }
            clock.advance(by: .seconds(24 * 60 * 60))
        }
        return try #require(last)
    }
}
