import Nightlatch
import NightlatchTesting
import Testing

/// A slot of one record does not open another, even with the same PIN and the same phrase.
@Suite("Vaults with swapped slots")
struct SwappedSlotTests {
    enum Source: CaseIterable {
        /// Another vault.
        case otherVault
        /// The same vault before a change of PIN to the same PIN.
        case olderSelf
    }

    enum Slot: String, CaseIterable {
        case pin, biometrics, recovery
    }

    @Test(
        "A slot from another vault or record opens nothing and is reported, and every other slot still opens",
        arguments: Source.allCases, Slot.allCases)
    func fromElsewhere(source: Source, slot: Slot) async throws {
        let device = try await Device()
        let older = try await device.store.json()
        let other: JSONTree
        switch source {
        case .otherVault: other = try await Device().store.json()
        case .olderSelf:
            other = older
            // Back to the same PIN, so that it would open the older slot.
            try await device.vault().changePin(TestPin.right, to: TestPin.new)
            try await device.vault().changePin(TestPin.new, to: TestPin.right)
        }
        let record = try await device.changed { record in
            record["sealed", "slots", slot.rawValue] = other["sealed", "slots", slot.rawValue]
        }
        try await expectShut(device, record, slot)
    }

    @Test("The slots of biometrics and of the phrase cannot be swapped")
    func within() async throws {
        let device = try await Device()
        let record = try await device.changed { record in
            let slots = record["sealed", "slots"]
            record["sealed", "slots", "biometrics"] = slots?["recovery"]
            record["sealed", "slots", "recovery"] = slots?["biometrics"]
        }
        try await expectShut(device, record, .biometrics, .recovery)
    }

    @Test("With all slots of another vault, nothing opens the vault")
    func allOfThem() async throws {
        let device = try await Device()
        let other = try await Device().store.json()
        let record = try await device.changed { $0["sealed", "slots"] = other["sealed", "slots"] }
        try await expectShut(device, record, .pin, .biometrics, .recovery)
    }

    /// A vault that PIN, biometrics and phrase open.
    private struct Device {
        let store = MemoryStore()
        private let keyring = ScriptedBiometrics()

        init() async throws {
            let open = try await vault().create(TestPin.right)
            try await open.set("seed", named: "wallet")
            try await open.setUpBiometrics()
            try await open.setUpRecovery(TestPhrase.right)
        }

        func vault(_ other: MemoryStore? = nil) -> Vault { .forTests(other ?? store, biometrics: keyring) }

        func changed(_ change: (inout JSONTree) -> Void) async throws -> StoredRecord {
            var record = try await store.json()
            let before = record
            change(&record)
            try #require(record != before)
            return StoredRecord(revision: try #require(try await store.read()).revision, bytes: record.bytes)
        }
    }

    /// Tries every slot, each in a copy.
    private func expectShut(_ device: Device, _ record: StoredRecord, _ shut: Slot...) async throws {
        for slot in Slot.allCases {
            let store = MemoryStore()
            store.plant(record)
            let isShut = shut.contains(slot)
            do {
                let open =
                    switch slot {
                    case .pin: try await device.vault(store).unlock(TestPin.right)
                    case .biometrics: try await device.vault(store).unlockWithBiometrics(reason: "reason")
                    case .recovery: try await device.vault(store).recover(TestPhrase.right, newPin: TestPin.new)
                    }
                #expect(!isShut, "\(slot) opened")
                #expect(try await open.texts() == ["wallet": "seed"], "\(slot)")
            } catch {
                #expect(isShut, "\(slot): \(error)")
                switch error {
                case UnlockError.refused(.wrong), BiometricUnlockError.biometrics(.corrupt), RecoveryError.wrongPhrase:
                    break
                default: Issue.record(error, "\(slot)")
                }
                #expect(try await store.json()["sealed"] == JSONTree(record)["sealed"])
            }
        }
    }
}
