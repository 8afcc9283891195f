import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Open vault")
struct OpenVaultTests {
    @Test("Secrets are set, read, replaced and removed by name", arguments: StoreKind.allCases)
    func secrets(kind: StoreKind) async throws {
        let place = kind.make()
        let open = try await Vault.forTests(place.store).create(TestPin.right)
        #expect(try await open.text(named: "token") == nil)
        try await open.set("one", named: "token")
        try await open.set("two", named: "seed")
        try await open.set("three", named: "token")
        #expect(try await open.texts() == ["token": "three", "seed": "two"])
        #expect(try await open.names().map(\.rawValue) == ["seed", "token"])
        try await open.remove([SecretName(unchecked: "token"), SecretName(unchecked: "unknown")])
        #expect(try await open.texts() == ["seed": "two"])
    }

    @Test("Removing a missing secret writes nothing")
    func removeNothing() async throws {
        let store = MemoryStore()
        let open = try await Vault.forTests(store).create(TestPin.right)
        let before = try await store.read()
        try await open.remove([])
        try await open.remove([SecretName(unchecked: "unknown")])
        #expect(try await store.read() == before)
    }

    @Test("A secret may be empty or any bytes", arguments: [0, 1, 255, 60_000])
    func anyBytes(byteCount: Int) async throws {
        let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let vault = Vault.forTests(MemoryStore())
        try await vault.create(TestPin.right).set(SecretBytes(copying: bytes), named: SecretName(unchecked: "any"))
        let open = try await vault.unlock(TestPin.right)
        guard let secret = try await open.secret(named: SecretName(unchecked: "any")) else {
            Issue.record("the secret is gone")
            return
        }
        let read = unsafe secret.withUnsafeBytes { unsafe Array($0) }
        #expect(read == bytes)
    }

    @Test("The record contains the names, but no secret and no PIN")
    func sealed() async throws {
        let store = MemoryStore()
        try await Vault.forTests(store).create(TestPin.right).set("correct horse", named: "phrase")
        let text = String(decoding: try #require(try await store.read()).bytes, as: UTF8.self)
        #expect(text.contains("phrase"))
        #expect(!text.contains("correct") && !text.contains(TestPin.right))
        #expect(!text.contains(Base64URL.encode(Array("correct horse".utf8))))
    }

    @Test("The same secret is sealed differently each time")
    func freshNonces() async throws {
        let store = MemoryStore()
        let open = try await Vault.forTests(store).create(TestPin.right)
        var boxes: Set<JSONTree> = []
        for _ in 0..<10 {
            try await open.set("same", named: "name")
            boxes.insert(try #require(try await store.json()["sealed", "content", "items", "name"]))
        }
        #expect(boxes.count == 10)
    }

    @Test("A secret that is too large is refused, and the stored ones stay")
    func tooLarge() async throws {
        let store = MemoryStore()
        let open = try await Vault.forTests(store).create(TestPin.right)
        try await open.set("small", named: "kept")
        let before = try await store.read()
        for kibibytes in [100, 200, 300] {
            await #expect(throws: VaultError.tooLarge, "\(kibibytes) KiB") {
                try await open.set(String(repeating: "x", count: kibibytes * 1024), named: "large")
            }
        }
        #expect(try await store.read() == before)
    }

    @Test("The fullest possible vault can still be tried, opened and given a new PIN")
    func full() async throws {
        let clock = ManualClock()
        let vault = Vault.forTests(MemoryStore(), clock: clock)
        let open = try await vault.create(TestPin.right)
        var size = 96 * 1024
        // The largest possible secret, to the byte.
        for step in sequence(first: 32 * 1024, next: { $0 == 1 ? nil : $0 / 2 }) {
            do {
                try await open.set(String(repeating: "x", count: size), named: "large")
                size += step
            } catch VaultError.tooLarge {
                size -= step
            }
        }
        let largest = try #require(try await open.text(named: "large")).count
        #expect(largest > 64 * 1024)
        for _ in 0..<9 {
            await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) }
            clock.advance(by: .seconds(1_000_000_000))
        }
        let changed = try await vault.changePin(TestPin.right, to: TestPin.new)
        #expect(try await changed.text(named: "large")?.count == largest)
    }

    @Test("A locked vault does nothing more")
    func locked() async throws {
        let open = try await Vault.forTests(MemoryStore()).create(TestPin.right)
        try await open.set("value", named: "name")
        await open.lock()
        await open.lock()
        await #expect(throws: VaultError.locked) { try await open.text(named: "name") }
        await #expect(throws: VaultError.locked) { try await open.names() }
        await #expect(throws: VaultError.locked) { try await open.set("value", named: "name") }
        await #expect(throws: VaultError.locked) { try await open.remove([SecretName(unchecked: "name")]) }
    }

    @Test("An open vault is useless after a change of PIN, an erasure or a new vault")
    func superseded() async throws {
        let store = MemoryStore()
        let vault = Vault.forTests(store)
        let first = try await vault.create(TestPin.right)
        let second = try await vault.changePin(TestPin.right, to: TestPin.new)
        await #expect(throws: VaultError.superseded) { try await first.set("value", named: "name") }
        try await store.erase()
        await #expect(throws: VaultError.superseded) { try await second.set("value", named: "name") }
        try await vault.create(TestPin.right)
        let before = try await store.read()
        // The same store, the same epoch, another key.
        await #expect(throws: VaultError.self) { try await first.set("value", named: "name") }
        #expect(try await store.read() == before)
    }

    @Test(
        "Names are 1 to 64 lower-case letters, digits and . _ -",
        arguments: [
            ("a", true), (String(repeating: "a", count: 64), true), ("wallet-seed_2.old", true), ("", false),
            (String(repeating: "a", count: 65), false), ("Seed", false), ("a b", false), ("ä", false), ("a/b", false),
        ])
    func names(text: String, isName: Bool) {
        #expect((SecretName(rawValue: text) != nil) == isName)
    }
}
