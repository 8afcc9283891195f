import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import Testing

@Suite("A PIN slot in a model of the Secure Enclave")
struct SecureEnclavePinSlotTests {
    private let device = AppleDevice()
    /// A substitute for a stretched PIN.
    private let right = Array(repeating: UInt8(1), count: 32)
    private let wrong = Array(repeating: UInt8(2), count: 32)
    private let secret = Array(UInt8(100)..<132)

    private func seal(_ secret: [UInt8], under pin: [UInt8]) async throws(SecureEnclavePinSlotError) {
        try await device.pinSlot.seal(SecretBytes(copying: secret), under: SecretBytes(copying: pin))
    }

    private func open(with pin: [UInt8]) async throws(SecureEnclavePinSlotError) -> [UInt8] {
        let opened = try await device.pinSlot.open(with: SecretBytes(copying: pin))
        return [UInt8](opened.sharedData())
    }

    @Test(
        "The right PIN opens the last sealed secret, also after a restart; a removed slot is absent",
        arguments: [1, 32, 128])
    func right(byteCount: Int) async throws {
        await #expect(throws: SecureEnclavePinSlotError.absent) { try await open(with: right) }
        try await seal(secret, under: wrong)
        let other = Array(repeating: UInt8(7), count: byteCount)
        try await seal(other, under: right)
        #expect(try await open(with: right) == other)
        await #expect(throws: SecureEnclavePinSlotError.wrongPin) { try await open(with: wrong) }
        try await device.pinSlot.remove()
        await #expect(throws: SecureEnclavePinSlotError.absent) { try await open(with: right) }
    }

    @Test("No prompt is shown: the key takes the stretched PIN as password, and the item stays on this device")
    func control() async throws {
        try await seal(secret, under: right)
        _ = try await open(with: right)
        let accessible = KeychainValue.Constant.attrAccessibleWhenUnlockedThisDeviceOnly
        #expect(
            device.model.get(\.keys).values.map(\.control)
                == [EnclaveAccessControl(accessible: accessible, flags: [.privateKeyUsage, .applicationPassword])])
        #expect(device.keychain.items.map(\.account) == ["pin-slot.vault"])
        #expect(device.keychain.items.map(\.accessible) == [accessible])
        #expect(device.model.get(\.shown).isEmpty)
    }

    @Test("On another device no PIN opens the record, not even the right one")
    func otherDevice() async throws {
        try await seal(secret, under: right)
        let thief = AppleDevice()
        thief.keychain.plant { $0 = device.keychain.items }
        for pin in [right, wrong] {
            await #expect(throws: SecureEnclavePinSlotError.key(DeviceKeyError(.corrupt))) {
                _ = try await thief.pinSlot.open(with: SecretBytes(copying: pin)).byteCount
            }
        }
    }

    @Test("A chip that accepts any password still reveals nothing without the PIN")
    func brokenChip() async throws {
        try await seal(secret, under: right)
        device.model.set { $0.ignoresPasswords = true }
        await #expect(throws: SecureEnclavePinSlotError.corrupt) { try await open(with: wrong) }
        #expect(try await open(with: right) == secret)
    }

    @Test(
        "A secret of a wrong size or a missing Secure Enclave is refused, and the existing slot stays",
        arguments: [0, 129])
    func sizes(byteCount: Int) async throws {
        try await seal(secret, under: right)
        await #expect(throws: SecureEnclavePinSlotError.secretByteCount) {
            try await seal(Array(repeating: 1, count: byteCount), under: right)
        }
        device.model.set { $0.hasEnclave = false }
        await #expect(throws: SecureEnclavePinSlotError.noSecureEnclave) { try await seal(secret, under: right) }
        device.model.set { $0.hasEnclave = true }
        #expect(try await open(with: right) == secret)
    }

    @Test(
        "Errors of the chip and the Keychain say nothing about the PIN, and are reported as such",
        arguments: [
            (AppleFailure(status: .interactionNotAllowed), DeviceKeyError.Code.unavailable),
            (AppleFailure(token: .communicationError), .unavailable), (AppleFailure(token: .objectNotFound), .corrupt),
            (AppleFailure(status: .missingEntitlement), .refused), (AppleFailure(domain: "new", code: 7), .unavailable),
        ])
    func failures(failure: AppleFailure, code: DeviceKeyError.Code) async throws {
        try await seal(secret, under: right)
        device.model.set { $0.failures = [failure] }
        await #expect(throws: SecureEnclavePinSlotError.key(DeviceKeyError(code))) { try await open(with: right) }
        device.model.set { $0.failures = [failure] }
        await #expect(throws: SecureEnclavePinSlotError.key(DeviceKeyError(code))) {
            try await seal(secret, under: wrong)
        }
        device.keychain.fail(.before(.interactionNotAllowed))
        await #expect(throws: SecureEnclavePinSlotError.store(StoreError(.unavailable))) { try await open(with: right) }
        device.keychain.fail(.before(.interactionNotAllowed))
        await #expect(throws: SecureEnclavePinSlotError.store(StoreError(.unavailable))) {
            try await seal(secret, under: wrong)
        }
        #expect(try await open(with: right) == secret)
    }

    @Test("If two callers seal at the same time, one gets a conflict, and the slot is the other's")
    func conflict() async throws {
        try await seal(secret, under: wrong)
        device.keychain.fail(.before(.itemNotFound), .before(.itemNotFound))
        // Both lookups of the read find nothing, so the write is for a first record, which already exists.
        await #expect(throws: SecureEnclavePinSlotError.store(StoreError(.conflict))) {
            try await seal([1], under: right)
        }
        #expect(try await open(with: wrong) == secret)
    }

    @Test("A change of any byte of the record is detected, and reveals no PIN")
    func changed() async throws {
        try await seal(secret, under: right)
        let store = KeychainStore(service: "app", account: "pin-slot.vault", calls: device.keychain.calls)
        let record = try #require(try await store.read())
        var revision = record.revision
        // Changes a letter of each value, so that it stays JSON and base64url.
        let text = String(decoding: record.bytes, as: UTF8.self)
        for name in ["ciphertext", "encapsulated_key", "key", "public_key", "salt"] {
            let start = try #require(text.range(of: "\"\(name)\":\"")).upperBound
            var letters = Array(text.utf8)
            let index = text.utf8.distance(from: text.startIndex, to: start) + 5
            letters[index] = letters[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            try await store.replace(StoredRecord(revision: revision + 1, bytes: letters), expecting: revision)
            revision += 1
            await #expect(throws: SecureEnclavePinSlotError.self, "\(name)") { try await open(with: right) }
        }
        try await store.replace(StoredRecord(revision: revision + 1, bytes: record.bytes), expecting: revision)
        #expect(try await open(with: right) == secret)
    }

    @Test(
        "A malformed record is corrupt, a later format is reported, and a new slot replaces either",
        arguments: [
            ("", SecureEnclavePinSlotError.corrupt), ("{}", .corrupt), (#"{"format":1}"#, .corrupt),
            (
                #"{"format":1,"key":"AA","public_key":"AA","salt":"AA","encapsulated_key":"AA","ciphertext":"AA"}"#,
                .corrupt
            ),
            (#"{"format":2,"new":true}"#, .newerFormat),
        ])
    func damaged(document: String, error: SecureEnclavePinSlotError) async throws {
        let store = KeychainStore(service: "app", account: "pin-slot.vault", calls: device.keychain.calls)
        try await store.replace(StoredRecord(revision: 1, bytes: Array(document.utf8)), expecting: nil)
        await #expect(throws: error) { try await open(with: right) }
        try await seal(secret, under: right)
        #expect(try await open(with: right) == secret)
    }
}
