import Crypto
import Foundation
import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// A record contains nothing about its PIN except the slot that the PIN opens.
@Suite("Record and PIN")
struct PinInRecordTests {
    @Test("No written record contains the PIN or a hash of it, in any usual encoding")
    func neitherPinNorHash() async throws {
        let store = RecordingStore(MemoryStore())
        let vault = Vault.forTests(store)
        try await vault.create(TestPin.right)
        await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) }
        try await vault.changePin(TestPin.right, to: TestPin.new)
        #expect(store.written.count > 4)
        for record in store.written {
            let text = String(decoding: record.bytes, as: UTF8.self)
            let salt = try #require(try JSONTree(record)["sealed", "slots", "pin", "salt"]?.text)
            for spelling in try Self.spellings(of: [TestPin.right, TestPin.wrong, TestPin.new], salt: salt) {
                #expect(!text.contains(spelling))
            }
        }
        // The control: such encodings would be found.
        #expect(try Self.spellings(of: [TestPin.right], salt: "").contains(Base64URL.encode(Array(TestPin.right.utf8))))
    }

    @Test("Records of a short PIN and of a long one have the same members of the same lengths")
    func noLength() async throws {
        var shapes: Set<[String]> = []
        for pin in ["4829", "482915730648"] {
            let store = MemoryStore()
            let vault = Vault(
                store: store, clock: ManualClock(),
                configuration: VaultConfiguration(
                    pinPolicy: try PinPolicy(lengths: Pin.lengths), keyDerivation: .cheap,
                    keyDerivationBounds: .forTests))
            try await vault.create(pin)
            let record = try await store.json()
            shapes.insert(record.paths.map { path in "\(path) \(record[path[...]]?.bytes.count ?? 0)" })
        }
        #expect(shapes.count == 1)
    }

    @Test("An unlock leaves no sign that the PIN was right, except for the reset count of failures")
    func noFlag() async throws {
        let store = MemoryStore()
        let vault = Vault.forTests(store)
        try await vault.create(TestPin.right)
        let before = try await store.json()
        try await vault.unlock(TestPin.right)
        var after = try await store.json()
        #expect(after["ledger"] == before["ledger"])
        for member in ["revision", "checksum"] { after[member] = before[member] }
        #expect(after == before)
    }

    @Test("Every PIN that is set gets its own salt of 32 random bytes, even the same PIN")
    func salts() async throws {
        let store = MemoryStore()
        let vault = Vault.forTests(store)
        try await vault.create(TestPin.right)
        var salts: Set<String> = []
        var (pin, other) = (TestPin.right, TestPin.new)
        for _ in 0..<20 {
            let salt = try #require(try await store.json()["sealed", "slots", "pin", "salt"]?.text)
            #expect(Base64URL.decode(salt)?.count == 32)
            salts.insert(salt)
            try await vault.changePin(pin, to: other)
            swap(&pin, &other)
        }
        #expect(salts.count == 20)
    }

    @Test("If any byte of its box is changed, or of the tag, the right PIN counts as wrong")
    func tag() async throws {
        let original = MemoryStore()
        try await Vault.forTests(original).create(TestPin.right)
        var record = try await original.json()
        let path = ["sealed", "slots", "pin", "box"]
        let box = try #require(record[path[...]]?.text.flatMap { Base64URL.decode($0) })
        for index in box.indices {
            var changed = Array(box)
            changed[index] ^= 1
            record[path[...]] = .string(Base64URL.encode(changed))
            let store = MemoryStore()
            store.plant(StoredRecord(revision: 1, bytes: record.bytes))
            await #expect(throws: UnlockError.refused(.wrong(triesLeft: 9, wait: nil)), "byte \(index)") {
                try await Vault.forTests(store).unlock(TestPin.right)
            }
        }
    }

    /// The PINs and their common hashes, plain and with the salt before or after, in hexadecimal and base64url.
    private static func spellings(of pins: [String], salt: String) throws -> [String] {
        let salt = Array(try #require(Base64URL.decode(salt)))
        return pins.flatMap { pin -> [String] in
            let pin = Array(pin.utf8)
            let hashes = [pin, salt + pin, pin + salt].flatMap { input in
                [
                    Array(SHA256.hash(data: input)), Array(SHA512.hash(data: input)),
                    Array(Insecure.SHA1.hash(data: input)), Array(Insecure.MD5.hash(data: input)),
                ]
            }
            let texts = ([pin] + hashes).flatMap { [Hex.encode($0), Base64URL.encode($0)] }
            return [String(decoding: pin, as: UTF8.self)] + texts
        }
    }
}
