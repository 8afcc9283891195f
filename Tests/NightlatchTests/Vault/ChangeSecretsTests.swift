import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Changing several secrets together")
struct ChangeSecretsTests {
    @Test("A change is one write, over the vault's present content", arguments: StoreKind.allCases)
    func together(kind: StoreKind) async throws {
        let place = kind.make()
        let store = RecordingStore(place.store)
        let open = try await Vault.forTests(store).create(TestPin.right)
        for name in ["kept", "replaced", "removed"] { try await open.set("old", named: name) }
        let writesBefore = store.written.count
        let seen = try await open.change { secrets throws(VaultError) in
            let seen = try secrets.text(named: "replaced")
            secrets.set(SecretBytes(copying: Array("new".utf8)), named: "replaced")
            secrets.set(SecretBytes(copying: Array("new".utf8)), named: "added")
            secrets.remove("removed")
            secrets.remove("unknown")
            #expect(try secrets.text(named: "replaced") == "new")
            #expect(try secrets.text(named: "removed") == nil)
            return seen
        }
        #expect(seen == "old")
        #expect(try await open.texts() == ["kept": "old", "replaced": "new", "added": "new"])
        #expect(store.written.count == writesBefore + 1)
    }

    @Test("A change that only reads writes nothing")
    func nothing() async throws {
        let store = MemoryStore()
        let open = try await Vault.forTests(store).create(TestPin.right)
        try await open.set("value", named: "name")
        let before = try await store.read()
        let text = try await open.change { secrets throws(VaultError) in
            secrets.remove("unknown")
            return try secrets.text(named: "name")
        }
        #expect(text == "value")
        #expect(try await store.read() == before)
    }

    @Test("The second writer decides again, with the values of the first")
    func conflict() async throws {
        let memory = MemoryStore()
        let store = RecordingStore(memory)
        let other = try await Vault.forTests(memory).create(TestPin.right)
        let open = try await Vault.forTests(store).unlock(TestPin.right)
        let seen = Shared<[String?]>([])
        // Call 0 reads, call 1 writes.
        store.interrupt(at: 1) {
            do {
                try await other.set("first", named: "name")
            } catch {
                Issue.record(error)
            }
        }
        let isTaken = try await open.change { secrets throws(VaultError) in
            let text = try secrets.text(named: "name")
            seen.withLock { $0.append(text) }
            guard text == nil else { return false }
            secrets.set(SecretBytes(copying: Array("second".utf8)), named: "name")
            return true
        }
        #expect(!isTaken)
        #expect(seen.withLock { $0 } == [nil, "first"])
        #expect(try await open.texts() == ["name": "first"])
    }

    @Test("If many callers take a secret at the same time, exactly one gets it", arguments: StoreKind.allCases)
    func many(kind: StoreKind) async throws {
        let place = kind.make()
        let open = try await Vault.forTests(place.store).create(TestPin.right)
        var openings = [open]
        for _ in 0..<7 { openings.append(try await Vault.forTests(place.store).unlock(TestPin.right)) }
        try await open.set("token", named: "name")
        let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
            for open in openings {
                group.addTask {
                    try await open.change { secrets throws(VaultError) in
                        defer { secrets.remove("name") }
                        return try secrets.text(named: "name") != nil
                    }
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(winners == 1)
        #expect(try await open.texts().isEmpty)
    }

    @Test("A change that throws, or is too large, changes nothing")
    func refused() async throws {
        let store = MemoryStore()
        let open = try await Vault.forTests(store).create(TestPin.right)
        try await open.set("value", named: "name")
        let before = try await store.read()
        await #expect(throws: VaultError.corrupt) {
            try await open.change { secrets throws(VaultError) in
                secrets.remove("name")
                throw .corrupt
            }
        }
        await #expect(throws: VaultError.tooLarge) {
            try await open.change { secrets throws(VaultError) in
                secrets.remove("name")
                secrets.set(SecretBytes(copying: Array(repeating: 7, count: 200 * 1024)), named: "large")
            }
        }
        #expect(try await store.read() == before)
        await open.lock()
        await #expect(throws: VaultError.locked) {
            try await open.change { secrets in secrets.remove("name") }
        }
    }
}

extension VaultSecrets {
    fileprivate func text(named name: SecretName) throws(VaultError) -> String? {
        guard let secret = try secret(named: name) else { return nil }
        return unsafe secret.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
