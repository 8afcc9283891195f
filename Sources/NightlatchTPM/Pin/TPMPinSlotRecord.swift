import Foundation
import Nightlatch
import NightlatchWire

/// The stored record of a PIN slot: a secret that the TPM has sealed.
struct TPMPinSlotRecord: PinSlotRecord {
    let format: Int
    /// The next four members, as base64url: SHA-256 of the public area of the storage key that seals the secret, the
    /// salt of its authorisation, the object's public area, and its sealed part.
    private let storageKey: String
    private let salt: String
    private let publicArea: String
    private let sealed: String

    private enum CodingKeys: String, CodingKey {
        case format, salt, sealed
        case storageKey = "storage_key"
        case publicArea = "public_area"
    }

    /// The content of the record.
    struct Content: Sendable {
        let object: WrappedObject
        let storageKey: [UInt8]
        let salt: [UInt8]
    }

    init(_ content: Content) {
        format = Self.newestFormat
        storageKey = Base64URL.encode(content.storageKey)
        salt = Base64URL.encode(content.salt)
        publicArea = Base64URL.encode(content.object.publicArea.bytes)
        sealed = Base64URL.encode(content.object.sealed)
    }

    /// Decodes the content of a record.
    ///
    /// - Throws: ``TPMPinSlotError/corrupt`` and ``TPMPinSlotError/newerFormat``.
    static func content(of bytes: [UInt8]) throws(TPMPinSlotError) -> Content {
        let record: Self
        do {
            record = try decode(bytes)
        } catch {
            switch error {
            case .corrupt: throw .corrupt
            case .newerFormat: throw .newerFormat
            }
        }
        guard let storageKey = Base64URL.decode(record.storageKey),
            let salt = Base64URL.decode(record.salt), salt.count == PinSlotSecret.saltByteCount,
            let publicArea = Base64URL.decode(record.publicArea), let sealed = Base64URL.decode(record.sealed)
        else { throw .corrupt }
        let object = WrappedObject(publicArea: PublicArea(bytes: publicArea), sealed: sealed)
        // Accept only an object whose wrong PINs the TPM counts.
        guard object.publicArea.isSealedSecret else { throw .corrupt }
        return Content(object: object, storageKey: storageKey, salt: salt)
    }
}
