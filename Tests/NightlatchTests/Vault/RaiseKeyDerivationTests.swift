import Nightlatch
import NightlatchTesting
import Testing

@Suite("Raising the key derivation")
struct RaiseKeyDerivationTests {
    private let store = MemoryStore()

    @Test("The next unlock raises weaker parameters, and keeps the PIN, the secrets and all other slots")
    func raised() async throws {
        let keyring = ScriptedBiometrics()
        let weak = Vault.forTests(store, biometrics: keyring)
        let open = try await weak.create(TestPin.right)
        try await open.set("seed", named: "wallet")
        try await open.setUpBiometrics()
        let strong = Vault.forTests(store, biometrics: keyring, keyDerivation: .pbkdf2(iterations: 3))
        let before = try await store.json()
        let raised = try await strong.unlock(TestPin.right)
        #expect(try await raised.texts() == ["wallet": "seed"])
        try await raised.set("more", named: "other")
        let after = try await store.json()
        #expect(try await iterations() == 3)
        #expect(after["sealed", "slots", "pin", "salt"] != before["sealed", "slots", "pin", "salt"])
        for vault in [weak, strong] {
            #expect(try await vault.unlock(TestPin.right).texts() == ["wallet": "seed", "other": "more"])
        }
        _ = try await strong.unlockWithBiometrics(reason: "reason")
        #expect(try await iterations() == 3)
    }

    @Test("Parameters that are strong enough stay, and a wrong PIN raises nothing")
    func notRaised() async throws {
        let vault = Vault.forTests(store, keyDerivation: .pbkdf2(iterations: 3))
        try await vault.create(TestPin.right)
        try await Vault.forTests(store).unlock(TestPin.right)
        #expect(try await iterations() == 3)
        let stronger = Vault.forTests(store, keyDerivation: .pbkdf2(iterations: 4))
        await #expect(throws: UnlockError.self) { try await stronger.unlock(TestPin.wrong) }
        #expect(try await iterations() == 3)
    }

    private func iterations() async throws -> Int? {
        try await store.json()["sealed", "slots", "pin", "key_derivation", "iterations"]?.number
    }
}
