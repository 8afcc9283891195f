import Foundation
import Nightlatch
import NightlatchTesting
import Testing

/// A vault reports why it cannot use a record, and leaves the record unchanged.
@Suite("Unusable records of a vault")
struct VaultRefusalTests {
    @Test(
        "Malformed records are corrupt",
        arguments: [
            "", "{}", "null", "[]", "{", "\u{0}", "{\"format\":\"1\"}", "{\"format\":1}", "{\"format\":0}",
            "{\"format\":-1}", "{\"format\":1.5}", "{\"format\":1,\"format\":1}", "{\"format\":null}",
            "{\"format\":99999999999999999999}", String(repeating: "[", count: 100_000),
        ])
    func notARecord(text: String) async throws {
        try await expectUntouched(StoredRecord(revision: 1, bytes: Array(text.utf8)), .corrupt)
    }

    @Test("Bytes that are not text are corrupt")
    func notText() async throws {
        try await expectUntouched(StoredRecord(revision: 1, bytes: [0xFF, 0xFE, 0x00, 0x80]), .corrupt)
    }

    @Test("A record above the maximum size is corrupt")
    func tooLarge() async throws {
        let record = try await record {
            $0["sealed", "content", "items", "large"] = .string(String(repeating: "A", count: 300_000))
        }
        try await expectUntouched(record, .corrupt)
    }

    @Test("A record that is truncated at any byte is corrupt")
    func truncated() async throws {
        let whole = try await record { _ in }
        for count in 0..<whole.bytes.count {
            let cut = StoredRecord(revision: whole.revision, bytes: Array(whole.bytes[..<count]))
            try await expectUntouched(cut, .corrupt, calls: [.state])
        }
    }

    @Test(
        "A record of a newer format is reported as such, whatever else it contains",
        arguments: ["{\"format\":3}", "{\"format\":7,\"other\":[1,2]}"])
    func newer(text: String) async throws {
        let format = text.contains("7") ? 7 : 3
        try await expectUntouched(
            StoredRecord(revision: 1, bytes: Array(text.utf8)), .newerFormat(found: format, newestKnown: 2))
    }

    @Test("The same JSON in another encoding is corrupt")
    func otherSpelling() async throws {
        let whole = try await record { _ in }
        for bytes in [[0x20] + whole.bytes, whole.bytes + [0x0A]] {
            try await expectUntouched(StoredRecord(revision: whole.revision, bytes: bytes), .corrupt)
        }
    }

    @Test("A record under another revision than its own is corrupt", arguments: [0, 1, 3, UInt64.max])
    func otherRevision(revision: UInt64) async throws {
        let whole = try await record { _ in }
        try #require(whole.revision == 2)
        try await expectUntouched(StoredRecord(revision: revision, bytes: whole.bytes), .corrupt)
    }

    @Test(
        "A revision that is impossible or has no successor is corrupt", .timeLimit(.minutes(5)),
        arguments: [0, UInt64.max])
    func impossibleRevision(revision: UInt64) async throws {
        let changed = try await record { $0["revision"] = .unsigned(revision) }
        try await expectUntouched(StoredRecord(revision: revision, bytes: changed.bytes), .corrupt)
    }

    @Test(
        "A count or a wait that no policy allows is corrupt",
        arguments: [
            ("failures", .signed(-1)), ("failures", .signed(.min)), ("failures", .unsigned(101)),
            ("failures", .signed(.max)), ("wait_ms", .signed(-1)), ("wait_ms", .signed(.min)),
            ("wait_ms", .signed(.max)),
            ("wait_ms", .unsigned(86_400_001)),
        ] as [(String, JSONTree)])
    func impossibleLedger(member: String, value: JSONTree) async throws {
        try await expectUntouched(try await record { $0["ledger", member] = value }, .corrupt)
    }

    @Test(
        "A key derivation outside the bounds charges no attempt and changes nothing, even with the right PIN",
        arguments: [
            -1, 0, 1, 99_999, 10_000_001, 1_000_000_000_000, Int.max,
        ])
    func keyDerivation(iterations: Int) async throws {
        let changed = try await record {
            $0["sealed", "slots", "pin", "key_derivation", "iterations"] = .signed(Int64(iterations))
        }
        try await expectUntouched(
            changed, .unacceptableKeyDerivation, bounds: .standard, calls: [.unlock, .changePin])
    }

    @Test(
        "Argon2id outside the bounds charges no attempt",
        arguments: [
            (16 * 1024 * 1024, 3, 1), (1024 * 1024 + 1, 1, 1), (7167, 6, 1), (7168, 4, 1), (65_536, 0, 1),
            (65_536, 3, 0),
            (65_536, 3, 5), (65_536, 257, 1), (65_536, .max, 1), (.max, 3, 1), (-65_536, -3, 1),
        ])
    func argon2id(memoryKibibytes: Int, passes: Int, lanes: Int) async throws {
        let changed = try await record {
            $0["sealed", "slots", "pin", "key_derivation"] = .object([
                "algorithm": .string("argon2id"), "memory_kib": .signed(Int64(memoryKibibytes)),
                "passes": .signed(Int64(passes)), "lanes": .signed(Int64(lanes)),
            ])
        }
        try await expectUntouched(
            changed, .unacceptableKeyDerivation, bounds: .standard, calls: [.unlock, .changePin])
    }

    @Test(
        "A key derivation that is unknown, lacks a member, or has another's, is corrupt",
        arguments: [
            [
                "algorithm": .string("argon2i"), "memory_kib": .signed(65_536), "passes": .signed(3),
                "lanes": .signed(1),
            ],
            ["algorithm": .string("argon2id"), "memory_kib": .signed(65_536), "passes": .signed(3)],
            [
                "algorithm": .string("argon2id"), "memory_kib": .fraction(65_536.5), "passes": .signed(3),
                "lanes": .signed(1),
            ],
            ["algorithm": .string("pbkdf2-hmac-sha256"), "iterations": .signed(1), "passes": .signed(3)],
            ["algorithm": .string("argon2id"), "iterations": .signed(600_000)],
        ] as [[String: JSONTree]])
    func notAKeyDerivation(members: [String: JSONTree]) async throws {
        let changed = try await record { $0["sealed", "slots", "pin", "key_derivation"] = .object(members) }
        try await expectUntouched(changed, .corrupt)
    }

    @Test(
        "Unavailable memory charges no attempt and changes nothing",
        .enabled(if: memoryIsNotPromisedBlindly, "needs a system that refuses what it has not"))
    func noMemory() async throws {
        let kibibytes = 0xFFFF_FFFF
        let bounds = KeyDerivationBounds(
            argon2id: Argon2idBounds(memoryKibibytes: 8...kibibytes, filledKibibytes: 8...kibibytes, lanes: 1...1),
            pbkdf2Iterations: 1...1)
        let store = MemoryStore()
        store.plant(
            try await record {
                $0["sealed", "slots", "pin", "key_derivation"] = .object([
                    "algorithm": .string("argon2id"), "memory_kib": .signed(Int64(kibibytes)), "passes": .signed(1),
                    "lanes": .signed(1),
                ])
            })
        let before = try await store.read()
        let vault = Vault(
            store: store, clock: ManualClock(),
            configuration: VaultConfiguration(keyDerivation: .cheap, keyDerivationBounds: bounds))
        do {
            try await vault.unlock(TestPin.right)
            Issue.record("4 TiB were had")
        } catch let error as UnlockError {
            guard case .memoryUnavailable(let byteCount) = error.rootCause as? KeyDerivationFailure,
                case .vault(let failure) = error, failure.code == .notPrepared
            else { throw error }
            #expect(byteCount > kibibytes * 1023)
        }
        await #expect(throws: ChangePinError.self) { try await vault.changePin(TestPin.right, to: TestPin.new) }
        #expect(try await store.read() == before)
    }

    /// Linux can be configured to promise any amount of memory.
    private static let memoryIsNotPromisedBlindly: Bool = {
        let setting = try? String(contentsOfFile: "/proc/sys/vm/overcommit_memory", encoding: .utf8)
        return setting.map { !$0.hasPrefix("1") } ?? false
    }()

    @Test("An accidentally damaged record charges no attempt, with any PIN and however often")
    func damagedByAccident() async throws {
        let whole = try await record { _ in }
        for offset in whole.bytes.indices where whole.bytes[offset] == UInt8(ascii: "A") {
            var bytes = whole.bytes
            bytes[offset] = UInt8(ascii: "B")
            try await expectUntouched(StoredRecord(revision: whole.revision, bytes: bytes), .corrupt)
        }
    }

    @Test("A store that cannot be read is an error, never an absent vault", arguments: StoreError.Code.allCases)
    func unreadable(code: StoreError.Code) async throws {
        let vault = Vault.forTests(UnreadableStore(code: code))
        let error = VaultError.store(StoreError(code))
        await #expect(throws: error) { try await vault.state() }
        await #expect(throws: UnlockError.vault(error)) { try await vault.unlock(TestPin.right) }
        await #expect(throws: ChangePinError.unlock(error)) {
            try await vault.changePin(TestPin.right, to: TestPin.new)
        }
        await #expect(throws: CreateVaultError.vault(error)) { try await vault.create(TestPin.right) }
    }

    private enum Call: CaseIterable { case state, create, unlock, changePin }

    /// Plants `record`, makes every call, and checks that each throws `error` and none writes.
    private func expectUntouched(
        _ record: StoredRecord,
        _ error: VaultError,
        bounds: KeyDerivationBounds = .forTests,
        calls: [Call] = Call.allCases
    ) async throws {
        let store = MemoryStore()
        store.plant(record)
        let vault = Vault(
            store: store, clock: ManualClock(),
            configuration: VaultConfiguration(keyDerivation: .pbkdf2(iterations: 100_000), keyDerivationBounds: bounds))
        for call in calls {
            switch call {
            case .state: await #expect(throws: error) { try await vault.state() }
            case .create: await #expect(throws: CreateVaultError.vault(error)) { try await vault.create(TestPin.new) }
            case .unlock: await #expect(throws: UnlockError.vault(error)) { try await vault.unlock(TestPin.right) }
            case .changePin:
                await #expect(throws: ChangePinError.unlock(error)) {
                    try await vault.changePin(TestPin.right, to: TestPin.new)
                }
            }
            #expect(try await store.read() == record)
        }
    }

    /// A valid record with one secret, then changed.
    private func record(_ change: (inout JSONTree) -> Void) async throws -> StoredRecord {
        let store = MemoryStore()
        try await Vault.forTests(store).create(TestPin.right).set("seed", named: "wallet")
        var json = try await store.json()
        change(&json)
        return StoredRecord(revision: try #require(try await store.read()).revision, bytes: json.bytes)
    }

    private struct UnreadableStore: SecureStore {
        let code: StoreError.Code

        var guarantees: StoreGuarantees {
            StoreGuarantees(isDeviceBound: true, survivesReinstall: true, resistsRollback: true)
        }

        func read() async throws(StoreError) -> StoredRecord? { throw StoreError(code) }

        func replace(_ record: StoredRecord, expecting expected: UInt64?) async throws(StoreError) {
            Issue.record("written to where nothing could be read")
        }

        func remove(expecting expected: UInt64) async throws(StoreError) { Issue.record("removed") }

        func erase() async throws(StoreError) { Issue.record("erased") }
    }
}
