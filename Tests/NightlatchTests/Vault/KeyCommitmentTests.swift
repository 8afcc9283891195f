import Crypto
import Foundation
import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// An attacker who can write the record, and knows neither PIN nor vault key, plants a PIN slot made for PINs whose
/// keys the attacker can calculate. The result for the user must not reveal whether the typed PIN is among them.
@Suite("Forged PIN slots")
struct KeyCommitmentTests {
    @Test("A slot forged for a chosen PIN is reported and charged as any wrong PIN", arguments: [0, 16, 32, 33, 768])
    func chosenPin(byteCount: Int) async throws {
        let store = MemoryStore()
        try await Vault.forTests(store).create(TestPin.right).set("seed", named: "wallet")
        var record = try await store.json()
        let forged = try SlotForger(record).slot(
            opening: TestPin.new, holding: Array(repeating: 7, count: byteCount), iterations: 1)
        record["sealed", "slots", "pin"] = forged
        try await expectAlike(record, revision: 2)
    }

    @Test(
        "A slot of an older format forged for a chosen PIN is reported and charged as any wrong PIN",
        arguments: [32, 768])
    func firstFormat(byteCount: Int) async throws {
        let store = FirstFormat.store()
        var record = try await store.json()
        record["sealed", "slots", "pin"] = try SlotForger(record).slot(
            opening: TestPin.new, holding: Array(repeating: 7, count: byteCount), iterations: 1)
        try await expectAlike(record, revision: FirstFormat.revision)
    }

    @Test("A slot opens under one PIN at most: it commits to one key, and a box without a commitment is no slot")
    func commitment() async throws {
        let store = MemoryStore()
        try await Vault.forTests(store).create(TestPin.right)
        let record = try await store.json()
        let keys = try VaultKeys(record, pin: TestPin.right)
        #expect(record["sealed", "slots", "pin", "commitment"]?.text == Base64URL.encode(keys.commitment))
        #expect(try VaultKeys(record, pin: TestPin.wrong).commitment != keys.commitment)
        // The right box with another commitment.
        var changed = record
        changed["sealed", "slots", "pin", "commitment"] = .string(Base64URL.encode(Array(repeating: 1, count: 32)))
        let planted = try await self.planted(changed, revision: 1)
        await #expect(throws: UnlockError.refused(.wrong(triesLeft: 9, wait: nil))) {
            try await Vault.forTests(planted).unlock(TestPin.right)
        }
        changed["sealed", "slots", "pin", "commitment"] = nil
        let bare = try await self.planted(changed, revision: 1)
        await #expect(throws: UnlockError.vault(.corrupt)) { try await Vault.forTests(bare).unlock(TestPin.right) }
        await #expect(throws: UnlockError.vault(.corrupt)) { try await Vault.forTests(bare).unlock(TestPin.wrong) }
    }

    @Test("A local slot instead of a hardened one is reported and charged as any wrong PIN")
    func localInPlaceOfHardened() async throws {
        let phone = try await HardenedPhone()
        var record = try await phone.store.json()
        record["sealed", "slots", "pin"] = try SlotForger(record).slot(
            opening: TestPin.new, holding: Array(repeating: 7, count: 32), iterations: 1)
        let revision = try #require(try await phone.store.read()).revision
        for pin in [TestPin.right, TestPin.new, TestPin.newest] {
            let store = try await planted(record, revision: revision)
            await #expect(throws: UnlockError.refused(.wrong(triesLeft: 9, wait: nil))) {
                try await phone.vault(in: store, phone.hardener).unlock(pin)
            }
        }
    }

    @Test("A vault that records the use of a hardener accepts no local slot, not even one that opens it")
    func saysHardened() async throws {
        let phone = try await HardenedPhone(offlinePin: .local)
        var record = try await phone.store.json()
        let tier = try #require(record["sealed", "slots", "pin", "hardened", "local_tier"])
        let parameters = try #require(record["sealed", "slots", "pin", "key_derivation"])
        // The local tier has all values of a slot, and opens the vault's own content.
        record["sealed", "slots", "pin"] = .object([
            "salt": try #require(tier["salt"]), "box": try #require(tier["box"]),
            "commitment": try #require(tier["commitment"]), "key_derivation": parameters,
        ])
        #expect(try VaultKeys(record, pin: TestPin.right).vaultKey != nil)
        let store = try await planted(record, revision: try #require(try await phone.store.read()).revision)
        await #expect(throws: UnlockError.refused(.wrong(triesLeft: 9, wait: nil))) {
            try await phone.vault(in: store, phone.hardener).unlock(TestPin.right)
        }
        #expect(record["sealed", "content", "pin_hardened"] == .bool(true))
    }

    @Test("An unlock by PIN moves a vault of the first format to the newest, with the same secrets and slots")
    func upgrade() async throws {
        let store = FirstFormat.store()
        let open = try await Vault.forTests(store).unlock(TestPin.right)
        #expect(open.rekeyFailure == nil)
        #expect(try await open.texts() == ["wallet": "seed"])
        let record = try await store.json()
        #expect(record["format"] == .unsigned(2) && record["sealed", "content", "format"] == .unsigned(2))
        #expect(record["sealed", "slots", "pin", "commitment"]?.text != nil)
        #expect(record["sealed", "content", "recipients"] == nil)
        #expect(try await Vault.forTests(store).slots() == [.pin, .biometrics, .recoveryPhrase])
        #expect(try await Vault.forTests(store).unlock(TestPin.right).texts() == ["wallet": "seed"])
        #expect(try await store.json()["sealed", "content", "epoch"] == record["sealed", "content", "epoch"])
    }

    @Test("A vault that was upgraded cannot be labelled as one of the first format")
    func relabelled() async throws {
        let store = FirstFormat.store()
        try await Vault.forTests(store).unlock(TestPin.right)
        let record = try await store.json()
        let revision = try #require(try await store.read()).revision
        var changed = record
        changed["sealed", "content", "format"] = nil
        let bare = try await planted(changed, revision: revision)
        await #expect(throws: UnlockError.vault(.corrupt)) { try await Vault.forTests(bare).unlock(TestPin.right) }
        changed["sealed", "slots", "pin", "commitment"] = nil
        changed["sealed", "slots", "biometric_key"] = nil
        changed["sealed", "content", "sealed_recipients"] = nil
        changed["sealed", "content", "recipients"] = .object([:])
        let whole = try await planted(changed, revision: revision)
        await #expect(throws: UnlockError.refused(.wrong(triesLeft: 9, wait: nil))) {
            try await Vault.forTests(whole).unlock(TestPin.right)
        }
    }

    /// Checks the PIN that opens the forged slot, and any other.
    private func expectAlike(_ record: JSONTree, revision: UInt64) async throws {
        let failures = record["ledger", "failures"]?.number ?? 0
        #expect(try VaultKeys(record, pin: TestPin.new).vaultKey != nil)
        for pin in [TestPin.new, TestPin.right, TestPin.newest] {
            let store = try await planted(record, revision: revision)
            await #expect(throws: UnlockError.refused(.wrong(triesLeft: 9 - failures, wait: nil))) {
                try await Vault.forTests(store).unlock(pin)
            }
            #expect(try await store.failures() == failures + 1)
        }
    }

    private func planted(_ record: JSONTree, revision: UInt64) async throws -> MemoryStore {
        let store = MemoryStore()
        store.plant(StoredRecord(revision: revision, bytes: record.bytes))
        return store
    }
}
