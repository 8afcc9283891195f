import Nightlatch
import NightlatchTesting
import Testing

@Suite("Biometrics of a vault")
struct VaultBiometricsTests {
    private let store = MemoryStore()
    private let keyring = ScriptedBiometrics()
    private let clock = ManualClock()
    private var vault: Vault { .forTests(store, clock: clock, biometrics: keyring) }

    @Test("Biometrics release the key that opens the same secrets, and the prompt shows the reason")
    func opens() async throws {
        try await setUp()
        #expect(try await vault.slots() == [.pin, .biometrics])
        let open = try await vault.unlockWithBiometrics(reason: "To show your cards")
        #expect(open.slot == .biometrics)
        #expect(try await open.texts() == ["wallet": "seed"])
        #expect(keyring.reasons == ["To show your cards"])
        try await open.set("more", named: "other")
        #expect(try await vault.unlock(TestPin.right).texts() == ["wallet": "seed", "other": "more"])
    }

    @Test("Setting up biometrics shows no prompt")
    func noPrompt() async throws {
        try await setUp()
        #expect(keyring.reasons.isEmpty)
    }

    @Test(
        "Each biometric error is reported as such, writes nothing and leaves the PIN",
        arguments: [
            .cancelled, .pinChosen, .notRecognised, .unavailable(.lockedOut), .interrupted, .failed(systemStatus: -1),
        ] as [BiometricError])
    func failures(error: BiometricError) async throws {
        try await setUp()
        keyring.script(.fails(error))
        try await expectUnchanged {
            await #expect(throws: BiometricUnlockError.biometrics(error)) {
                try await vault.unlockWithBiometrics(reason: "reason")
            }
        }
        try await vault.unlock(TestPin.right)
    }

    @Test("A success by biometrics leaves the count of wrong PINs")
    func countStays() async throws {
        try await setUp()
        await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) }
        try await expectUnchanged { _ = try await vault.unlockWithBiometrics(reason: "reason") }
        #expect(try await vault.state() == .ready(triesLeft: 9))
    }

    @Test("A changed enrolment is reported as such, and biometrics can be set up again after the PIN")
    func changedEnrolment() async throws {
        try await setUp()
        keyring.changeEnrolment()
        await #expect(throws: BiometricUnlockError.biometrics(.enrolmentChanged)) {
            try await vault.unlockWithBiometrics(reason: "reason")
        }
        try await vault.unlock(TestPin.right).setUpBiometrics()
        _ = try await vault.unlockWithBiometrics(reason: "reason")
    }

    @Test("After a change of PIN biometrics still open the vault, without a prompt during the change")
    func pinChange() async throws {
        try await setUp()
        let before = try #require(try await store.read())
        try await vault.changePin(TestPin.right, to: TestPin.new).set("later", named: "other")
        #expect(keyring.reasons.isEmpty)
        #expect(
            try await vault.unlockWithBiometrics(reason: "reason").texts() == ["wallet": "seed", "other": "later"])
        // The old image opens its own secrets, and none that was written later.
        let old = MemoryStore()
        old.plant(before)
        let stale = try await Vault.forTests(old, biometrics: keyring).unlockWithBiometrics(reason: "reason")
        #expect(try await stale.texts() == ["wallet": "seed"])
    }

    @Test("Removed biometrics open nothing, leave no key, and end the openings that they made")
    func removal() async throws {
        try await setUp()
        let byBiometrics = try await vault.unlockWithBiometrics(reason: "reason")
        let byPin = try await vault.unlock(TestPin.right)
        try await byPin.removeBiometrics()
        #expect(keyring.keys.isEmpty)
        #expect(try await vault.slots() == [.pin])
        await #expect(throws: BiometricUnlockError.notSetUp) { try await vault.unlockWithBiometrics(reason: "reason") }
        await #expect(throws: VaultError.superseded) { try await byBiometrics.names() }
        #expect(try await byPin.texts() == ["wallet": "seed"])
        try await byPin.removeBiometrics()
    }

    @Test("If a key cannot be made, biometrics stay as they were; a key that cannot be removed opens nothing")
    func keyringFails() async throws {
        try await setUp()
        let open = try await vault.unlock(TestPin.right)
        keyring.failKeyChanges(with: .interrupted)
        try await expectUnchanged {
            await #expect(throws: BiometricSetupError.biometrics(.interrupted)) { try await open.setUpBiometrics() }
        }
        _ = try await vault.unlockWithBiometrics(reason: "reason")
        await #expect(throws: BiometricSetupError.biometrics(.interrupted)) { try await open.removeBiometrics() }
        await #expect(throws: BiometricUnlockError.notSetUp) { try await vault.unlockWithBiometrics(reason: "reason") }
        keyring.failKeyChanges(with: nil)
        try await open.removeBiometrics()
        #expect(keyring.keys.isEmpty)
    }

    @Test("A vault without a keyring reports that, and a missing vault shows no prompt")
    func noKeyring() async throws {
        let plain = Vault.forTests(store)
        await #expect(throws: BiometricUnlockError.noVault) { try await plain.unlockWithBiometrics(reason: "reason") }
        let open = try await plain.create(TestPin.right)
        await #expect(throws: BiometricSetupError.noKeyring) { try await open.setUpBiometrics() }
        await #expect(throws: BiometricUnlockError.notSetUp) { try await plain.unlockWithBiometrics(reason: "reason") }
    }

    @Test("After a hard lock biometrics still open the vault, and full credentials set a new PIN")
    func hardLock() async throws {
        try await setUp()
        try await failUntilTheEnd(of: .login, vault: vault)
        #expect(try await vault.state() == .blocked(.newCredentials))
        #expect(try await vault.slots() == [.biometrics])
        let open = try await vault.unlockWithBiometrics(reason: "reason")
        await #expect(throws: SetPinError.pinRefused([.common(.run)])) { try await open.setPin("123456") }
        try await open.setPin(TestPin.new)
        #expect(try await open.texts() == ["wallet": "seed"])
        #expect(try await vault.state() == .ready(triesLeft: 10))
        #expect(try await vault.unlock(TestPin.new).texts() == ["wallet": "seed"])
        _ = try await vault.unlockWithBiometrics(reason: "reason")
        await #expect(throws: SetPinError.hasPin) { try await open.setPin(TestPin.newest) }
    }

    @Test("Erasing a vault removes its keys from the keyring, also if that fails at first")
    func erase() async throws {
        try await setUp()
        keyring.failKeyChanges(with: .interrupted)
        await #expect(throws: EraseVaultError.biometrics(.interrupted)) { try await vault.erase() }
        #expect(try await vault.state() == .absent)
        keyring.failKeyChanges(with: nil)
        try await vault.erase()
        #expect(keyring.keys.isEmpty)
    }

    @Test("Two callers that set up biometrics at the same time leave a key that opens the vault")
    func together() async throws {
        let first = try await vault.create(TestPin.right)
        let second = try await vault.unlock(TestPin.right)
        try await withThrowingTaskGroup { group in
            for open in [first, second, first, second] { group.addTask { try await open.setUpBiometrics() } }
            try await group.waitForAll()
        }
        _ = try await vault.unlockWithBiometrics(reason: "reason")
    }

    private func setUp() async throws {
        let open = try await vault.create(TestPin.right)
        try await open.set("seed", named: "wallet")
        try await open.setUpBiometrics()
    }

    private func expectUnchanged(_ body: () async throws -> Void) async throws {
        let before = try await store.read()
        try await body()
        #expect(try await store.read() == before)
    }

    private func failUntilTheEnd(of policy: LockoutPolicy, vault: Vault) async throws {
        for _ in 0..<policy.limit {
            await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) }
            clock.advance(by: .seconds(24 * 60 * 60))
        }
    }
}
