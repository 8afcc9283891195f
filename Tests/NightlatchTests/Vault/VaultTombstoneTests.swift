import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Tombstone of a wiped vault")
struct VaultTombstoneTests {
    /// A wiped vault in a store whose key authenticates the record.
    private func wiped(_ store: some SecureStore) async throws -> Vault {
        let vault = Vault.forTests(store, policy: .enterprise)
        try await vault.create(TestPin.right)
        #expect(try await vault.giveUpPin() == .erased)
        return vault
    }

    @Test("The tombstone contains nothing of the vault, and a new vault replaces it", arguments: [true, false])
    func replaced(hasKey: Bool) async throws {
        let store = MemoryStore(recordKey: hasKey ? MemoryRecordKey() : nil)
        let vault = try await wiped(store)
        #expect(try await vault.state() == .erased)
        #expect(try await vault.slots().isEmpty)
        #expect(try await vault.protection() == nil)
        await #expect(throws: UnlockError.noVault) { try await vault.unlock(TestPin.right) }
        let paths = try await store.json().paths.map { $0.joined(separator: ".") }
        #expect(Set(paths) == Set(["ended", "format", "revision", "vault_id"] + (hasKey ? ["record_mac"] : [])))
        try await vault.create(TestPin.new)
        try await vault.unlock(TestPin.new)
    }

    @Test("Erasing removes the tombstone, too")
    func erased() async throws {
        let store = MemoryStore()
        let vault = try await wiped(store)
        try await vault.erase()
        #expect(try await store.read() == nil)
        #expect(try await vault.state() == .absent)
    }

    @Test("A tombstone that the store's key does not authenticate is no evidence")
    func planted() async throws {
        let key = MemoryRecordKey()
        let store = MemoryStore(recordKey: key)
        let vault = try await wiped(store)
        let good = try #require(try await store.read())
        var bare = try JSONTree(good)
        bare["record_mac"] = nil
        var other = try JSONTree(good)
        other["vault_id"] = .string("AAAAAAAAAAAAAAAAAAAAAA")
        for tree in [bare, other] {
            store.plant(StoredRecord(revision: good.revision, bytes: tree.bytes))
            await #expect(throws: VaultError.corrupt) { try await vault.state() }
        }
        // In a store without the key, it is no evidence either.
        let plain = MemoryStore()
        plain.plant(good)
        await #expect(throws: VaultError.noRecordKey) { try await Vault.forTests(plain).state() }
    }

    @Test("A damaged tombstone is corrupt, and not an absent vault")
    func damaged() async throws {
        let store = MemoryStore()
        let vault = try await wiped(store)
        let good = try #require(try await store.read())
        for (name, value) in [
            ("ended", JSONTree.string("lost")), ("revision", .unsigned(7)), ("vault_id", .string("short")),
            ("more", .bool(true)),
        ] {
            var tree = try JSONTree(good)
            tree[name] = value
            store.plant(StoredRecord(revision: good.revision, bytes: tree.bytes))
            await #expect(throws: VaultError.corrupt, "\(name)") { try await vault.state() }
        }
        var later = try JSONTree(good)
        later["format"] = .unsigned(3)
        store.plant(StoredRecord(revision: good.revision, bytes: later.bytes))
        await #expect(throws: VaultError.newerFormat(found: 3, newestKnown: 2)) { try await vault.state() }
    }

    @Test("Without space for the tombstone the vault is wiped anyway")
    func full() async throws {
        let base = MemoryStore()
        let vault = Vault.forTests(FullStore(base: base), policy: .enterprise)
        try await Vault.forTests(base).create(TestPin.right)
        #expect(try await vault.giveUpPin() == .erased)
        #expect(try await base.read() == nil)
    }
}

/// A store without space for another record.
private struct FullStore: SecureStore {
    let base: MemoryStore

    var guarantees: StoreGuarantees { base.guarantees }

    func read() async throws(StoreError) -> StoredRecord? { try await base.read() }

    func replace(_ record: StoredRecord, expecting expected: UInt64?) async throws(StoreError) {
        throw StoreError(.full)
    }

    func remove(expecting expected: UInt64) async throws(StoreError) {
        try await base.remove(expecting: expected)
    }

    func erase() async throws(StoreError) { try await base.erase() }
}
