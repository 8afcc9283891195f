import Foundation
import Nightlatch
import NightlatchWire

/// The stored record of a TPM's key, which the TPM has sealed.
struct TPMKeyRecord: Codable {
    private static let newestFormat = 1
    private static let limits = JSONLimits(byteCount: 4096, depth: 2)

    enum Protection: String, Codable {
        case open
        case applicationPassword = "application_password"
    }

    private struct Format: Decodable {
        let format: Int
    }

    private let format: Int
    let protection: Protection
    private let tag: KeyTag
    /// SHA-256 of the public area of the storage key that seals this key, as base64url.
    let storageKey: String
    /// The object's public area and its sealed part, as base64url.
    private let publicArea: String
    private let sealed: String

    private enum CodingKeys: String, CodingKey {
        case format, protection, tag, sealed
        case storageKey = "storage_key"
        case publicArea = "public_area"
    }

    init(_ object: WrappedObject, tag: KeyTag, storageKey: [UInt8], protection: Protection) {
        format = Self.newestFormat
        self.protection = protection
        self.tag = tag
        self.storageKey = Base64URL.encode(storageKey)
        publicArea = Base64URL.encode(object.publicArea.bytes)
        sealed = Base64URL.encode(object.sealed)
    }

    init(decoding bytes: [UInt8], tag: KeyTag) throws(DeviceKeyError) {
        let format: Int
        do {
            // A later format may have another shape and size, so its number is read separately.
            format = try StrictJSON.decode(Format.self, from: bytes).format
        } catch {
            throw DeviceKeyError(.corrupt)
        }
        guard format <= Self.newestFormat else { throw DeviceKeyError(.newerFormat) }
        do {
            self = try StrictJSON.decode(Self.self, from: bytes, limits: Self.limits)
        } catch {
            throw DeviceKeyError(.corrupt)
        }
        guard format == Self.newestFormat, self.tag == tag else { throw DeviceKeyError(.corrupt) }
    }

    var encoded: [UInt8] { [UInt8](StrictJSON.encode(self)) }

    var object: WrappedObject {
        get throws(DeviceKeyError) {
            guard let publicArea = Base64URL.decode(publicArea), let sealed = Base64URL.decode(sealed) else {
                throw DeviceKeyError(.corrupt)
            }
            return WrappedObject(publicArea: PublicArea(bytes: publicArea), sealed: sealed)
        }
    }
}
