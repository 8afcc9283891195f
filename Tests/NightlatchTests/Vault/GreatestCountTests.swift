import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Planted counts near their maximum")
struct GreatestCountTests {
    private static let greatest: UInt64 = 1 << 62

    @Test(
        "A revision, epoch or generation that no device can reach is refused when it is read",
        arguments: [["revision"], ["sealed", "content", "epoch"], ["sealed", "content", "generation"]],
        [0, greatest + 1, UInt64.max - 1, .max])
    func refused(path: [String], planted: UInt64) async throws {
        let store = MemoryStore()
        let vault = Vault.forTests(store)
        try await vault.create(TestPin.right)
        let record = try await plant(planted, at: path, in: store)
        await #expect(throws: VaultError.corrupt) { try await vault.state() }
        for pin in [TestPin.wrong, TestPin.right] {
            await #expect(throws: UnlockError.vault(.corrupt)) { try await vault.unlock(pin) }
        }
        #expect(try await store.read() == record)
    }

    @Test("Nothing is written after the greatest revision, so the vault stays readable")
    func last() async throws {
        let store = MemoryStore()
        let vault = Vault.forTests(store)
        try await vault.create(TestPin.right)
        let record = try await plant(Self.greatest, at: ["revision"], in: store)
        for pin in [TestPin.wrong, TestPin.right] {
            await #expect(throws: UnlockError.vault(.corrupt)) { try await vault.unlock(pin) }
        }
        #expect(try await store.read() == record)
        guard case .ready = try await vault.state() else {
            Issue.record("the vault cannot be read any more")
            return
        }
    }

    @Test("The registry of profiles also refuses such counts")
    func registry() async throws {
        let device = SharedDevice()
        let profile = try await device.register().profile
        let good = try #require(try await device.registry.read())
        let planted = MemoryStore()
        let profiles = Profiles(registry: planted, deviceKeys: nil) { _ in .forTests(MemoryStore()) }
        for revision in [UInt64.max - 1, Self.greatest] {
            var tree = try JSONTree(good)
            tree["revision"] = .unsigned(revision)
            let record = StoredRecord(revision: revision, bytes: tree.bytes)
            planted.plant(record)
            await #expect(throws: RegistryError(.profiles, .corrupt)) {
                try await profiles.rename(profile.id, to: ProfileName(unchecked: "Bob"))
            }
            #expect(try await planted.read() == record)
        }
    }

    private func plant(_ number: UInt64, at path: [String], in store: MemoryStore) async throws -> StoredRecord {
        let good = try #require(try await store.read())
        var tree = try JSONTree(good)
        try #require(tree[path[...]] != nil)
        tree[path[...]] = .unsigned(number)
        let record = StoredRecord(revision: path == ["revision"] ? number : good.revision, bytes: tree.bytes)
        store.plant(record)
        return record
    }
}
