import Nightlatch
import NightlatchTesting
import Testing

/// A record as it was written once: whatever changes, what lies on people's devices must open.
@Suite("Vault record, format 1")
struct VaultRecordFormatTests {
    /// Made by this code, and opened by an implementation in Python that shares none of it.
    private static let record = """
        {"format":1,"ledger":{"charged_attempt":"9TwXJd3O8hqjPDiY-kusQg","clock_ms":3600000,"failures":1,"wa\
        it_ms":0},"revision":3,"sealed":{"content":{"generation":2,"items":{"wallet":"WlhwsFjgICrHSH5yo9m2Jf\
        qlMViUiIMsGnSnSnfw54I"},"mac":"mGs_HZSQ3MlC1ILGOEWZxwSkaF1zXSl75vAMSWplaIg"},"pin_slot":{"box":"JXfe\
        nysWDbno6isXXCwEd9Rq2HlhiEVDBE6KygdOif3NmUOWMMBmrdnOiHoJYagEwEpdASoZLMOa7gb7","epoch":1,"key_derivat\
        ion":{"algorithm":"pbkdf2-hmac-sha256","iterations":1},"salt":"HFFKflgC5w0oPbrc-JEZPUlix7WsobdZ9PI4t\
        0dPz7I"}},"vault_id":"OjS6ACZ4Zzn9xAmMe4Nxwg"}
        """

    @Test("It opens with its PIN and holds its secret")
    func opens() async throws {
        let store = MemoryStore()
        store.plant(StoredRecord(revision: 3, bytes: Array(Self.record.utf8)))
        let vault = Vault.forTests(store)
        #expect(try await vault.state() == .ready(triesLeft: 9))
        #expect(try await vault.unlock(TestPin.right).texts() == ["wallet": "seed"])
        #expect(try await store.json()["revision"] == .unsigned(5))
    }

    @Test("It opens with no other PIN, and a new record has the same members")
    func members() async throws {
        let store = MemoryStore()
        store.plant(StoredRecord(revision: 3, bytes: Array(Self.record.utf8)))
        let frozen = try await store.json()
        await #expect(throws: UnlockError.refused(.wrong(triesLeft: 8, wait: nil))) {
            try await Vault.forTests(store).unlock(TestPin.wrong)
        }
        let fresh = MemoryStore()
        let vault = Vault.forTests(fresh)
        try await vault.create(TestPin.right).set("seed", named: "wallet")
        await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) }
        #expect(try await fresh.json().paths == frozen.paths)
    }
}
