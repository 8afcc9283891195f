#if os(Linux) || os(macOS)
import Crypto
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Testing

/// A program in another language, written from `docs/vault-format.md` alone, reads vaults of every kind.
@Suite("A vault reader in another language", .enabled(if: Python.isInstalled, "needs python3"))
struct VaultReaderTests {
    private static let secrets = ["wallet": "seed", "empty": "", "name": "Zoë's, 100 €"]

    @Test(
        "The reader opens a vault under Argon2id and under PBKDF2 with the right PIN alone",
        arguments: [KeyDerivationParameters.argon2id(memoryKibibytes: 64, passes: 2, lanes: 2), .pbkdf2(iterations: 3)])
    func pin(keyDerivation: KeyDerivationParameters) async throws {
        let store = MemoryStore()
        let open = try await Vault.forTests(store, keyDerivation: keyDerivation).create(TestPin.right)
        for (name, text) in Self.secrets { try await open.set(text, named: name) }
        let file = try await Self.file(of: store)
        let answers = try Self.read([
            ["file": file, "pin": TestPin.right], ["file": file, "pin": TestPin.wrong],
        ])
        #expect(answers[0].texts == Self.secrets && answers[0].format == 2)
        #expect(answers[1].refused == "wrong PIN")
    }

    @Test("The reader opens a vault with a record key, one that must be sealed again, and one with a failed attempt")
    func marks() async throws {
        let store = MemoryStore(recordKey: MemoryRecordKey())
        let vault = Vault.forTests(store)
        let open = try await vault.create(TestPin.right)
        for (name, text) in Self.secrets { try await open.set(text, named: name) }
        try await open.setUpRecovery(TestPhrase.right)
        try await open.removeRecovery()
        #expect(try await store.json()["sealed", "content", "rekey_due"] == .bool(true))
        await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) }
        let answers = try Self.read([["file": try await Self.file(of: store), "pin": TestPin.right]])
        #expect(answers[0].texts == Self.secrets)
    }

    @Test("The reader opens a vault with its recovery phrase and with its biometric key, and with no other")
    func phraseAndBiometrics() async throws {
        let (store, keyring) = (MemoryStore(), OpenKeyring())
        let open = try await Vault.forTests(store, biometrics: keyring).create(TestPin.right)
        for (name, text) in Self.secrets { try await open.set(text, named: name) }
        try await open.setUpBiometrics()
        try await open.setUpRecovery(TestPhrase.right)
        let file = try await Self.file(of: store)
        let answers = try Self.read([
            ["file": file, "phrase": TestPhrase.right], ["file": file, "phrase": TestPhrase.wrong],
            ["file": file, "biometric_key": Base64URL.encode(keyring.key.rawRepresentation)],
            ["file": file, "biometric_key": Base64URL.encode(P256.KeyAgreement.PrivateKey().rawRepresentation)],
        ])
        #expect(answers[0].texts == Self.secrets && answers[0].authenticated == true)
        #expect(answers[1].refused == "wrong phrase")
        #expect(answers[2].texts == Self.secrets)
        #expect(answers[3].refused == "another key")
    }

    @Test(
        "The reader opens a vault of the first format, and reports its phrase as unauthenticated, also after an upgrade"
    )
    func firstFormat() async throws {
        let store = FirstFormat.store()
        let before = try await Self.file(of: store)
        try await Vault.forTests(store).unlock(TestPin.right)
        let after = try await Self.file(of: store)
        let answers = try Self.read([
            ["file": before, "pin": TestPin.right], ["file": before, "phrase": TestPhrase.right],
            ["file": before, "pin": TestPin.wrong], ["file": after, "pin": TestPin.right],
            ["file": after, "phrase": TestPhrase.right],
        ])
        #expect(answers[0].texts == ["wallet": "seed"] && answers[0].format == 1)
        #expect(answers[1].texts == ["wallet": "seed"] && answers[1].authenticated == false)
        #expect(answers[2].refused == "wrong PIN")
        #expect(answers[3].texts == ["wallet": "seed"] && answers[3].format == 2)
        #expect(answers[4].texts == ["wallet": "seed"] && answers[4].authenticated == false)
    }

    @Test("With the hardener's output, the reader opens a two-party vault, its local tier and a pending change")
    func twoParty() async throws {
        let phone = try await HardenedPhone(offlinePin: .local)
        let heard = Shared<(input: [UInt8], y: [UInt8])?>(nil)
        let vault = Vault.forTests(
            phone.store, clock: phone.clock, biometrics: phone.keyring,
            hardener: OverheardHardener(base: phone.hardener.client(), heard: heard), offlinePin: .local)
        try await vault.unlock(TestPin.right)
        let (input, y) = try #require(heard.withLock { $0 })
        let file = try await Self.file(of: phone.store)
        let answers = try Self.read([
            ["file": file, "pin": TestPin.right],
            ["file": file, "pin": TestPin.right, "y": Base64URL.encode(y)],
            ["file": file, "pin": TestPin.wrong, "y": Base64URL.encode(y)],
            ["file": file, "pin": TestPin.right, "tier": true],
            ["file": file, "pin": TestPin.wrong, "tier": true],
        ])
        #expect(answers[0].x == Base64URL.encode(input))
        #expect(answers[1].texts?.filter { HardenedPhone.secrets.keys.contains($0.key) } == HardenedPhone.secrets)
        #expect(answers[2].refused == "wrong PIN")
        #expect(answers[3].items == answers[1].items)
        #expect(answers[4].refused == "wrong PIN")

        // The promotion's answer is lost: the candidate stays beside the present slot.
        let pending = try await HardenedPhone.pending(.change, isPromoted: true)
        let opened = Shared<(input: [UInt8], y: [UInt8])?>(nil)
        let before = try await Self.file(of: pending.store)
        try await Vault.forTests(
            pending.store, clock: pending.clock, biometrics: pending.keyring,
            hardener: OverheardHardener(base: pending.hardener.client(), heard: opened)
        ).unlock(TestPin.new)
        let change = try #require(opened.withLock { $0 })
        let changed = try Self.read([
            ["file": before, "pin": TestPin.new, "part": "change", "y": Base64URL.encode(change.y)]
        ])
        #expect(changed[0].texts?.filter { HardenedPhone.secrets.keys.contains($0.key) } == HardenedPhone.secrets)
    }

    @Test("With the chip's output, the reader opens a vault in a chip")
    func chip() async throws {
        let phone = try await ChipPhone.made()
        let heard = Shared<(input: [UInt8], y: [UInt8])?>(nil)
        try await Vault.forTests(
            phone.store, clock: phone.clock, biometrics: phone.keyring,
            hardener: OverheardHardener(base: phone.hardener, heard: heard)
        ).unlock(TestPin.right)
        let (input, y) = try #require(heard.withLock { $0 })
        let file = try await Self.file(of: phone.store)
        let answers = try Self.read([["file": file, "pin": TestPin.right, "y": Base64URL.encode(y)]])
        #expect(answers[0].texts == ChipPhone.secrets && answers[0].x == Base64URL.encode(input))
    }

    @Test("The reader refuses any deviation from the document, so the vaults that it opens conform")
    func strict() async throws {
        let store = MemoryStore()
        try await Vault.forTests(store).create(TestPin.right).set("seed", named: "wallet")
        let stored = try #require(try await store.read())
        let tree = try JSONTree(stored)
        var requests: [[String: Any]] = []
        for path in tree.paths {
            var changed = tree
            changed[path[...]] = path.last == "ledger" ? .null : nil
            let store = MemoryStore()
            store.plant(StoredRecord(revision: stored.revision, bytes: changed.bytes))
            requests.append(["file": try await Self.file(of: store), "pin": TestPin.right])
        }
        for bytes in [[0x20] + stored.bytes, stored.bytes.dropLast() + Array(",\"format\":2}".utf8)] {
            let store = MemoryStore()
            store.plant(StoredRecord(revision: stored.revision, bytes: bytes))
            requests.append(["file": try await Self.file(of: store), "pin": TestPin.right])
        }
        let answers = try Self.read(requests)
        // Nothing is sealed with the members of the ledger.
        for (path, answer) in zip(tree.paths, answers) where path.first != "ledger" || path.count == 1 {
            #expect(answer.items == nil, "\(path)")
        }
        #expect(answers.suffix(2).allSatisfy { $0.items == nil })
    }

    private struct Answer: Decodable {
        var items: [String: String]?
        var format: Int?
        var authenticated: Bool?
        var refused: String?
        var x: String?

        var texts: [String: String]? {
            items?.mapValues { text in String(decoding: Base64URL.decode(text) ?? [0xFF], as: UTF8.self) }
        }
    }

    /// Returns the file that a `FileStore` makes of a store's record.
    private static func file(of store: any SecureStore) async throws -> String {
        let folder = TemporaryFolder()
        let file = FileStore(path: folder.path + "/vault")
        try await file.replace(try #require(try await store.read()), expecting: nil)
        return Base64URL.encode(try Data(contentsOf: URL(filePath: folder.path + "/vault")))
    }

    private static func read(_ requests: [[String: Any]]) throws -> [Answer] {
        var script = URL(filePath: #filePath)
        for _ in 0..<2 { script.deleteLastPathComponent() }
        let source = try String(contentsOf: script.appending(path: "VaultReader/reader.py"), encoding: .utf8)
        let input = String(decoding: try JSONSerialization.data(withJSONObject: requests), as: UTF8.self)
        let output = try Python.run(source, input: input)
        let answers = try JSONDecoder().decode([Answer].self, from: Data(output.utf8))
        try #require(answers.count == requests.count)
        return answers
    }
}

/// A keyring with one key, which the test knows.
private struct OpenKeyring: BiometricKeyring {
    let key = P256.KeyAgreement.PrivateKey()

    func availability() async -> BiometricAvailability { .available }

    func create(_ key: BiometricKeyID) async throws(BiometricError) -> P256.KeyAgreement.PublicKey {
        self.key.publicKey
    }

    func open(
        _ box: HPKEBox, with key: BiometricKeyID, info: [UInt8], reason: String
    ) async throws(BiometricError) -> SecretBytes { throw .cancelled }

    func remove(_ key: BiometricKeyID) async throws(BiometricError) {}
}
#endif
