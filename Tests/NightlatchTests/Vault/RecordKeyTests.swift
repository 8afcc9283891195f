import Crypto
import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// An attacker can write to the store, and a key of the device authenticates the count.
@Suite("Vault and record key")
struct RecordKeyTests {
    /// A record with all members that a ledger can have, and the key that authenticates it.
    private struct Scene {
        let key = MemoryRecordKey()
        let store: MemoryStore
        let clock = ManualClock()
        let keyring = ScriptedBiometrics()

        init() async throws {
            store = MemoryStore(recordKey: key)
            let open = try await vault.create(TestPin.right)
            try await open.set("seed", named: "wallet")
            try await open.setUpBiometrics()
            try await open.setUpRecovery(TestPhrase.right)
            for _ in 0..<4 {
                await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) }
                clock.advance(by: .seconds(3600))
            }
        }

        var vault: Vault { .forTests(store, clock: clock, policy: .wallet, biometrics: keyring) }

        /// The record's error in every call that reads it.
        func errors() async -> [VaultError?] {
            let calls: [() async throws -> Void] = [
                { _ = try await vault.state() },
                { _ = try await vault.slots() },
                { _ = try await vault.protection() },
                { try await vault.create(TestPin.new) },
                { try await vault.unlock(TestPin.right) },
                { try await vault.changePin(TestPin.right, to: TestPin.new) },
                { _ = try await vault.unlockWithBiometrics(reason: "reason") },
                { try await vault.recover(TestPhrase.right, newPin: TestPin.new) },
                { _ = try await vault.giveUpPin() },
            ]
            var errors: [VaultError?] = []
            for call in calls {
                do {
                    try await call()
                    errors.append(nil)
                } catch {
                    errors.append(Self.recordError(in: error))
                }
            }
            return errors
        }

        private static func recordError(in error: any Error) -> VaultError? {
            switch error {
            case let error as VaultError: error
            case CreateVaultError.vault(let error), UnlockError.vault(let error), RecoveryError.vault(let error),
                ChangePinError.unlock(let error), BiometricUnlockError.vault(let error):
                error
            default: nil
            }
        }

        /// Writes the record with one changed member, and expects every call to refuse it without writing.
        func expectCorrupt(_ situation: Comment, _ change: (inout JSONTree) async throws -> Void) async throws {
            let original = try #require(try await store.read())
            var tree = try JSONTree(original)
            try await change(&tree)
            let changed = StoredRecord(revision: original.revision, bytes: tree.bytes)
            try #require(changed != original, situation)
            store.plant(changed)
            #expect(await errors() == Array(repeating: .corrupt, count: 9), situation)
            #expect(try await store.read() == changed, situation)
            store.plant(original)
        }
    }

    @Test("Every call refuses a planted vault that was sealed for this user's keys")
    func substituted() async throws {
        let scene = try await Scene()
        let own = try await scene.store.json()
        let foreign = MemoryStore(recordKey: MemoryRecordKey())
        let open = try await Vault.forTests(foreign, policy: .wallet).create(TestPin.new)
        try await open.setUpRecovery(TestPhrase.right)
        try await scene.expectCorrupt("another vault, whole") { $0 = try await foreign.json() }
        for member in ["sealed", "vault_id"] {
            let other = try await foreign.json()[member]
            try await scene.expectCorrupt("another's \(member)") { $0[member] = other }
        }
        try await scene.expectCorrupt("a change that nobody began") { $0["change"] = own["sealed"] }
        try await scene.expectCorrupt("no way by PIN") { $0["sealed", "slots", "pin"] = nil }
    }

    @Test("With any change of the ledger or its MAC, every call finds the record corrupt and writes nothing")
    func tampering() async throws {
        let scene = try await Scene()
        for (member, value) in [("failures", 0), ("failures", 3), ("failures", 5), ("wait_ms", 0), ("clock_ms", 0)] {
            try await scene.expectCorrupt("\(member) is \(value)") {
                $0["ledger", member] = .unsigned(UInt64(value))
            }
        }
        try await scene.expectCorrupt("no charged attempt") { $0["ledger", "charged_attempt"] = nil }
        try await scene.expectCorrupt("another attempt") {
            $0["ledger", "charged_attempt"] = .string(AttemptID.random().rawValue)
        }
        try await scene.expectCorrupt("no MAC") { $0["record_mac"] = nil }
        try await scene.expectCorrupt("no ledger of one's own") { $0["record_mac"] = .null }
        try await scene.expectCorrupt("a MAC of zeros") {
            $0["record_mac"] = .string(Base64URL.encode(Array(repeating: 0, count: 32)))
        }
        try await scene.expectCorrupt("a MAC cut short") { tree in
            guard case .string(let mac)? = tree["record_mac"] else { return }
            tree["record_mac"] = .string(String(mac.dropLast(4)))
        }
        // The unchanged record still opens.
        #expect(try await scene.vault.unlock(TestPin.right).texts() == ["wallet": "seed"])
    }

    @Test("Without a key a reset count is not detected")
    func control() async throws {
        let store = MemoryStore()
        let vault = Vault.forTests(store)
        try await vault.create(TestPin.right)
        await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) }
        let stored = try #require(try await store.read())
        var tree = try JSONTree(stored)
        #expect(tree["record_mac"] == nil)
        #expect(try await vault.state() == .ready(triesLeft: 9))
        tree["ledger", "failures"] = .unsigned(0)
        store.plant(StoredRecord(revision: stored.revision, bytes: tree.bytes))
        #expect(try await vault.state() == .ready(triesLeft: 10))
    }

    @Test("An older ledger with its own MAC does not fit the present record, nor does another vault's")
    func otherLedgers() async throws {
        let (scene, other) = (try await Scene(), MemoryStore(recordKey: MemoryRecordKey()))
        let old = try await scene.store.json()
        await #expect(throws: UnlockError.self) { try await scene.vault.unlock(TestPin.wrong) }
        try await scene.expectCorrupt("an older ledger") {
            $0["ledger"] = old["ledger"]
            $0["record_mac"] = old["record_mac"]
        }
        // Another vault under the same key, at the same revision.
        let second = MemoryStore(recordKey: scene.key)
        let vault = Vault.forTests(second)
        let open = try await vault.create(TestPin.right)
        let revision = try #require(try await scene.store.read()).revision
        while try #require(try await second.read()).revision < revision { try await open.set("x", named: "filler") }
        let foreign = try await second.json()
        try #require(foreign["revision"] == .unsigned(revision))
        try await scene.expectCorrupt("another vault's ledger") {
            $0["ledger"] = foreign["ledger"]
            $0["record_mac"] = foreign["record_mac"]
        }
        // The complete record, under the key of another device.
        other.plant(try await scene.store.read())
        await #expect(throws: VaultError.corrupt) { try await Vault.forTests(other).state() }
    }

    @Test("A store without a key refuses a record with a MAC, with an explanation, and charges nothing")
    func movedToAStoreWithoutKey() async throws {
        let scene = try await Scene()
        let store = MemoryStore()
        store.plant(try await scene.store.read())
        let vault = Vault.forTests(store)
        await #expect(throws: VaultError.noRecordKey) { try await vault.state() }
        for pin in [TestPin.right, TestPin.wrong] {
            await #expect(throws: UnlockError.vault(.noRecordKey)) { try await vault.unlock(pin) }
        }
        #expect(try await store.read() == scene.store.read())
        #expect(VaultError.noRecordKey.description.contains("moved here from another"))
    }

    @Test(
        "While the key is unusable nothing is charged and nothing is written",
        arguments: [StoreError(.unavailable), StoreError(.refused)])
    func keyFails(error: StoreError) async throws {
        let scene = try await Scene()
        let before = try await scene.store.read()
        scene.key.fail(error)
        #expect(await scene.errors() == Array(repeating: .store(error), count: 9))
        let empty = MemoryStore(recordKey: scene.key)
        await #expect(throws: CreateVaultError.vault(.store(error))) {
            try await Vault.forTests(empty).create(TestPin.right)
        }
        #expect(try await empty.read() == nil)
        scene.key.fail(nil)
        #expect(try await scene.store.read() == before)
        #expect(try await scene.vault.unlock(TestPin.right).texts() == ["wallet": "seed"])
    }

    @Test("A key whose MAC does not have 32 bytes is a broken store", arguments: [0, 31, 33])
    func brokenKey(byteCount: Int) async throws {
        struct BrokenKey: RecordKey {
            let byteCount: Int
            func mac(over bytes: [UInt8]) async throws(StoreError) -> [UInt8] { Array(repeating: 0, count: byteCount) }
        }
        let vault = Vault.forTests(MemoryStore(recordKey: BrokenKey(byteCount: byteCount)))
        await #expect(throws: CreateVaultError.vault(.store(StoreError(.corrupt)))) {
            try await vault.create(TestPin.right)
        }
    }

    @Test("A vault whose key is gone can be erased and created again")
    func erase() async throws {
        let scene = try await Scene()
        scene.key.fail(StoreError(.corrupt))
        try await scene.vault.erase()
        #expect(try await scene.store.read() == nil)
        scene.key.fail(nil)
        try await scene.vault.create(TestPin.new)
    }

    @Test("The protection says whether a key authenticates the count")
    func protection() async throws {
        let scene = try await Scene()
        #expect(try await scene.vault.protection()?.authenticatesRecord == true)
        let vault = Vault.forTests(MemoryStore())
        try await vault.create(TestPin.right)
        #expect(try await vault.protection()?.authenticatesRecord == false)
    }

    #if os(Linux) || os(macOS)
    @Test("Python, which shares no code with ours, calculates the same MAC")
    func python() async throws {
        let key = Array(0..<32 as Range<UInt8>)
        let store = MemoryStore(recordKey: MemoryRecordKey(SymmetricKey(data: key)))
        let vault = Vault.forTests(store)
        try await vault.create(TestPin.right)
        await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) }
        let record = String(decoding: try #require(try await store.read()).bytes, as: UTF8.self)
        guard case .string(let mac)? = try await store.json()["record_mac"] else {
            Issue.record("no MAC")
            return
        }
        #expect(try Python.run(Self.maker, input: record) == mac + "\n")
    }
    #endif

    private static let maker = """
        import sys, json, hmac
        from base64 import urlsafe_b64encode
        number = lambda value: value.to_bytes(8, "big")
        record = json.load(sys.stdin)
        members = [
            json.dumps(record.get(name), separators=(",", ":"), sort_keys=True).encode()
            for name in ("ledger", "sealed", "change")]
        parts = [b"nightlatch record", number(2), record["vault_id"].encode(), number(record["revision"]), *members]
        said = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
        print(urlsafe_b64encode(hmac.new(bytes(range(32)), said, "sha256").digest()).decode().rstrip("="))
        """
}
