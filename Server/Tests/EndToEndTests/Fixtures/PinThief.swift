import Crypto
import CryptoExtras
import Foundation
import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// Somebody who has stolen a phone's record, or what the server keeps of it, or both, and tries PINs on them by whatever
/// `docs/two-party-pin.md` says. It shares no code with the vault.
///
/// PINs are stretched by one round of PBKDF2 in these tests, which is HMAC and one exclusive or of nothing.
struct PinThief {
    /// What a record has of its PIN.
    struct Slot: Decodable {
        struct Hardened: Decodable {
            struct Key: Decodable {
                struct Device: Decodable {
                    let device: String
                }

                let device: Device
                let epoch: Int
                let public_key: String
            }

            struct Tier: Decodable {
                let salt: String
                let box: String
            }

            let key: Key
            let knowledge_key: String
            let local_tier: Tier?
        }

        let salt: String
        let box: String
        let hardened: Hardened?
    }

    struct Record: Decodable {
        struct Sealed: Decodable {
            struct Slots: Decodable {
                let pin: Slot
            }

            struct Content: Decodable {
                let epoch: Int
            }

            let slots: Slots
            let content: Content
        }

        let vault_id: String
        let sealed: Sealed
    }

    let record: Record
    /// As the record has them.
    private let parameters = #"{"algorithm":"pbkdf2-hmac-sha256","iterations":1}"#

    init(image: MemoryStore) async throws {
        let stored = try #require(try await image.read())
        record = try JSONDecoder().decode(Record.self, from: Data(stored.bytes))
    }

    private var slot: Slot { record.sealed.slots.pin }

    /// What the slot has beside its box, which the server has a part in.
    var hardened: Slot.Hardened {
        get throws { try #require(slot.hardened) }
    }

    /// PBKDF2 with one iteration: a block is HMAC(PIN, salt ‖ number).
    private func stretched(_ pin: String, salt: String? = nil, byteCount: Int) throws -> [UInt8] {
        let salt = try #require(Base64URL.decode(salt ?? slot.salt))
        let key = SymmetricKey(data: Data(pin.utf8))
        return (1...(byteCount / 32)).flatMap { number in
            Array(HMAC<SHA256>.authenticationCode(for: salt + [0, 0, 0, UInt8(number)], using: key))
        }
    }

    private static func transcript(_ parts: [UInt8]...) -> Data {
        parts.reduce(into: Data()) { bytes, part in
            bytes += (0..<4).reversed().map { UInt8(truncatingIfNeeded: part.count >> (8 * $0)) } + part
        }
    }

    private static func number(_ value: Int) -> [UInt8] {
        (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private func opens(_ box: String, _ key: SymmetricKey, _ associatedData: Data) throws -> Bool {
        let box = try AES.GCM.SealedBox(combined: try #require(Base64URL.decode(box)))
        do {
            _ = try AES.GCM.open(box, using: key, authenticating: associatedData)
            return true
        } catch {
            return false
        }
    }

    /// Whether `pin` opens the slot as one that hangs on nothing else: what is tried on a vault without a server.
    func opensLocally(_ pin: String) throws -> Bool { try opensAlone(pin, box: slot.box, salt: slot.salt) }

    /// Whether `pin` opens the slot's local tier.
    func opensLocalTier(_ pin: String) throws -> Bool {
        let tier = try #require(try hardened.local_tier)
        return try opensAlone(pin, box: tier.box, salt: tier.salt)
    }

    private func opensAlone(_ pin: String, box: String, salt: String) throws -> Bool {
        let info = Self.transcript(
            Array("nightlatch slot".utf8), Self.number(1), Array(record.vault_id.utf8), Array("pin".utf8),
            Self.number(record.sealed.content.epoch), Array(parameters.utf8))
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: try stretched(pin, salt: salt, byteCount: 32)),
            salt: try #require(Base64URL.decode(salt)), info: info, outputByteCount: 32)
        return try opens(box, key, info)
    }

    /// The input of the function for `pin`.
    func input(_ pin: String) throws -> Data {
        let key = try #require(slot.hardened).key
        return Self.transcript(
            Array("nightlatch two-party pin input v1".utf8), Array(key.device.device.utf8), Self.number(key.epoch),
            Array(try stretched(pin, byteCount: 64)[..<32]))
    }

    /// Whether `pin` and `output` open one of the slot's boxes: that of the vault key, or that of the knowledge key.
    func opens(_ pin: String, output: [UInt8]) throws -> Bool {
        let hardened = try #require(slot.hardened)
        let info = Self.transcript(
            Array("nightlatch two-party pin key v1".utf8), Array(record.vault_id.utf8),
            Array(hardened.key.device.device.utf8), Self.number(hardened.key.epoch),
            try #require(Base64URL.decode(hardened.key.public_key)), Array(parameters.utf8))
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Array(try stretched(pin, byteCount: 64)[32...]) + output),
            salt: try #require(Base64URL.decode(slot.salt)), info: info, outputByteCount: 32)
        for (label, box) in [
            ("nightlatch two-party vault key v1", slot.box),
            ("nightlatch two-party knowledge key v1", hardened.knowledge_key),
        ] {
            let derived = HKDF<SHA256>.expand(
                pseudoRandomKey: key, info: Self.transcript(Array(label.utf8)), outputByteCount: 32)
            if try opens(box, derived, info) { return true }
        }
        return false
    }

    /// Whether `pin` opens the slot with the server's key.
    func opens(_ pin: String, with key: P384._VOPRF.PrivateKey) throws -> Bool {
        try opens(pin, output: Array(key.evaluate(input(pin))))
    }

    /// All that is computed from `pin` on the way to what it opens, for who wants to find any of it elsewhere.
    func traces(of pin: String, with key: P384._VOPRF.PrivateKey) throws -> [[UInt8]] {
        let stretched = try stretched(pin, byteCount: 64)
        let (input, output) = (Array(try input(pin)), Array(try key.evaluate(input(pin))))
        return [Array(stretched[..<32]), Array(stretched[32...]), stretched, input, output, Array(pin.utf8)]
    }
}
