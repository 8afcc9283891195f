import Crypto
import Nightlatch
import NightlatchWire

/// The stored form of a PIN slot: the chip's key, sealed by the chip, and the secret in two nested sealed boxes.
struct SecureEnclavePinSlotRecord: PinSlotRecord {
    let format: Int
    private let key: String
    private let publicKey: String
    private let salt: String
    private let encapsulatedKey: String
    private let ciphertext: String

    private enum CodingKeys: String, CodingKey {
        case format, key, salt, ciphertext
        case publicKey = "public_key"
        case encapsulatedKey = "encapsulated_key"
    }

    /// The decoded content of a record.
    struct Content: Sendable {
        let pair: EnclaveKeyPair
        let salt: [UInt8]
        let box: HPKEBox
        /// The encapsulated key of `box`, decoded.
        let sender: P256.KeyAgreement.PublicKey
    }

    init(_ pair: EnclaveKeyPair, salt: [UInt8], box: HPKEBox) {
        format = Self.newestFormat
        key = Base64URL.encode(pair.representation)
        publicKey = Base64URL.encode(pair.publicKey.x963Representation)
        self.salt = Base64URL.encode(salt)
        encapsulatedKey = Base64URL.encode(box.encapsulatedKey)
        ciphertext = Base64URL.encode(box.ciphertext)
    }

    /// Decodes a record.
    ///
    /// - Throws: ``SecureEnclavePinSlotError/corrupt`` and ``SecureEnclavePinSlotError/newerFormat``.
    static func content(of bytes: [UInt8]) throws(SecureEnclavePinSlotError) -> Content {
        let record: Self
        do {
            record = try decode(bytes)
        } catch {
            switch error {
            case .corrupt: throw .corrupt
            case .newerFormat: throw .newerFormat
            }
        }
        guard let representation = Base64URL.decode(record.key), !representation.isEmpty,
            let point = Base64URL.decode(record.publicKey),
            let publicKey = try? P256.KeyAgreement.PublicKey(x963Representation: point),
            let salt = Base64URL.decode(record.salt), salt.count == PinSlotSecret.saltByteCount,
            let encapsulated = Base64URL.decode(record.encapsulatedKey),
            let sender = try? P256.KeyAgreement.PublicKey(x963Representation: encapsulated),
            let ciphertext = Base64URL.decode(record.ciphertext)
        else { throw .corrupt }
        return Content(
            pair: EnclaveKeyPair(representation: representation, publicKey: publicKey), salt: salt,
            box: HPKEBox(encapsulatedKey: encapsulated, ciphertext: ciphertext), sender: sender)
    }
}
