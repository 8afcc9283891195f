import Nightlatch
import NightlatchTesting
import Testing

/// The user replaces or removes a leaked phrase, and an attacker has copied older records.
@Suite("Replaced and removed phrases")
struct ReplacedPhraseTests {
    private let store = MemoryStore()
    private let keyring = ScriptedBiometrics()
    private var vault: Vault { .forTests(store, biometrics: keyring) }

    @Test(
        "An old phrase opens nothing, not even with its slot restored from an older record", arguments: [true, false])
    func putBack(isReplaced: Bool) async throws {
        let open = try await made()
        let old = try await store.json()["sealed", "slots", "recovery"]
        if isReplaced { try await open.setUpRecovery(TestPhrase.wrong) } else { try await open.removeRecovery() }
        var record = try await store.json()
        record["sealed", "slots", "recovery"] = old
        let planted = MemoryStore()
        planted.plant(StoredRecord(revision: try #require(try await store.read()).revision, bytes: record.bytes))
        await #expect(throws: RecoveryError.wrongPhrase) {
            try await Vault.forTests(planted).recover(TestPhrase.right, newPin: TestPin.new)
        }
    }

    @Test("The next unlock by PIN seals everything again, so an old copy and phrase open nothing that is written then")
    func rekeyed() async throws {
        let open = try await made()
        let before = try await store.json()
        let oldKey = try #require(try VaultKeys(before, pin: TestPin.right).vaultKey)
        try await open.removeRecovery()
        #expect(try await store.json()["sealed", "content", "rekey_due"] == .bool(true))
        #expect(try VaultKeys(try await store.json(), pin: TestPin.right).vaultKey == oldKey)
        try await open.set("more", named: "other")
        #expect(try await store.json()["sealed", "content", "rekey_due"] == .bool(true))

        let again = try await vault.unlock(TestPin.right)
        let after = try await store.json()
        #expect(after["sealed", "content", "rekey_due"] == nil)
        #expect(try VaultKeys(after, pin: TestPin.right).vaultKey != oldKey)
        #expect(try await again.texts() == ["wallet": "seed", "other": "more"])
        let epoch = after["sealed", "content", "epoch"]
        _ = try await vault.unlock(TestPin.right)
        #expect(try await store.json()["sealed", "content", "epoch"] == epoch)
    }

    @Test("The mark that the vault must be sealed again cannot be removed from the record")
    func mark() async throws {
        let open = try await made()
        try await open.removeRecovery()
        var record = try await store.json()
        record["sealed", "content", "rekey_due"] = nil
        store.plant(StoredRecord(revision: try #require(try await store.read()).revision, bytes: record.bytes))
        await #expect(throws: UnlockError.refused(.wrong(triesLeft: 9, wait: nil))) {
            try await vault.unlock(TestPin.right)
        }
    }

    @Test("A vault that biometrics have opened neither sets nor removes a phrase: that needs the PIN")
    func byBiometrics() async throws {
        _ = try await made()
        await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) }
        let open = try await vault.unlockWithBiometrics(reason: "reason")
        let before = try await store.read()
        await #expect(throws: RecoverySetupError.pinNeeded) { try await open.setUpRecovery(TestPhrase.wrong) }
        await #expect(throws: RecoverySetupError.pinNeeded) { try await open.removeRecovery() }
        #expect(try await store.read() == before)
    }

    @Test("After a recovery biometrics open nothing until they are set up again")
    func biometricsAfterRecovery() async throws {
        _ = try await made()
        let open = try await vault.recover(TestPhrase.right, newPin: TestPin.new)
        #expect(try await vault.slots() == [.pin, .recoveryPhrase])
        await #expect(throws: BiometricUnlockError.notSetUp) {
            _ = try await vault.unlockWithBiometrics(reason: "reason")
        }
        try await open.setUpBiometrics()
        #expect(try await vault.unlockWithBiometrics(reason: "reason").texts() == ["wallet": "seed"])
    }

    /// A vault that PIN, biometrics and phrase open.
    private func made() async throws -> OpenVault {
        let open = try await vault.create(TestPin.right)
        try await open.set("seed", named: "wallet")
        try await open.setUpBiometrics()
        try await open.setUpRecovery(TestPhrase.right)
        return open
    }
}
