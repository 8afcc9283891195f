import Foundation
import Nightlatch
import NightlatchWire

/// A PIN slot as it is stored: a secret that the TPM has sealed.
struct TPMPinSlotRecord: Codable {
    private static let newestFormat = 1
    private static let limits = JSONLimits(byteCount: 4096, depth: 2)
    static let saltByteCount = 32

    private struct Format: Decodable {
        let format: Int
    }

    private let format: Int
    /// SHA-256 of the public area of the key that it is sealed under, the salt of its authorisation, the object's public area and its
    /// sealed part, as base64url.
    private let storageKey: String
    private let salt: String
    private let publicArea: String
    private let sealed: String

    private enum CodingKeys: String, CodingKey {
        case format, salt, sealed
        case storageKey = "storage_key"
        case publicArea = "public_area"
    }

    /// What the record holds.
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

    var encoded: [UInt8] { [UInt8](StrictJSON.encode(self)) }

    static func decode(_ bytes: [UInt8]) throws(TPMPinSlotError) -> Content {
        let format: Int
        do {
            // A later format may be of another shape and size, so its number is read by itself.
            format = try StrictJSON.decode(Format.self, from: bytes).format
        } catch {
            throw .corrupt
        }
        guard format <= newestFormat else { throw .newerFormat }
        let record: Self
        do {
            record = try StrictJSON.decode(Self.self, from: bytes, limits: limits)
        } catch {
            throw .corrupt
        }
        guard format == newestFormat, let storageKey = Base64URL.decode(record.storageKey),
            let salt = Base64URL.decode(record.salt), salt.count == saltByteCount,
            let publicArea = Base64URL.decode(record.publicArea), let sealed = Base64URL.decode(record.sealed)
        else { throw .corrupt }
        let object = WrappedObject(publicArea: PublicArea(bytes: publicArea), sealed: sealed)
        // One that the TPM does not count wrong PINs of is none.
        guard object.publicArea.isSealedSecret else { throw .corrupt }
        return Content(object: object, storageKey: storageKey, salt: salt)
    }
}
