import Crypto
import Foundation
import Nightlatch
import NightlatchWire

/// The stored form of a private key, or of a chip's sealed representation. It is sealed under the application password,
/// or plain if the key requires none.
struct DeviceKeyRecord: Codable {
    /// The kind of key in the record. A record of one kind never opens as another.
    enum Kind: String {
        case software = "nightlatch software key"
        case secureEnclave = "nightlatch secure enclave key"
    }

    private static let newestFormat = 1
    private static let limits = JSONLimits(byteCount: 4096, depth: 4)

    private struct Format: Decodable {
        let format: Int
    }

    private let format: Int
    private let protection: Protection
    /// The key in base64url, sealed or not.
    private let key: String

    private enum Protection: String, Codable {
        case open
        case applicationPassword = "application_password"
    }

    init(_ secret: borrowing SecretBytes, kind: Kind, tag: KeyTag, access: borrowing KeyAccess) {
        format = Self.newestFormat
        switch access {
        case .unattended:
            protection = .open
            key = unsafe secret.withUnsafeBytes { unsafe Base64URL.encode($0) }
        case .applicationPassword(let password):
            protection = .applicationPassword
            key = Base64URL.encode(
                Self.seal(secret, under: Self.sealingKey(password, kind: kind, tag: tag), tag: tag))
        }
    }

    init(decoding bytes: [UInt8]) throws(DeviceKeyError) {
        let format: Int
        do {
            // A later format may have another shape and size, so the number is read separately.
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
        guard format == Self.newestFormat else { throw DeviceKeyError(.corrupt) }
    }

    var encoded: [UInt8] { [UInt8](StrictJSON.encode(self)) }

    /// Returns the key, or throws if `access` does not open it.
    func key(kind: Kind, tag: KeyTag, access: borrowing KeyAccess) throws(DeviceKeyError) -> SecretBytes {
        guard let bytes = Base64URL.decode(key) else { throw DeviceKeyError(.corrupt) }
        var plain: Data
        switch access {
        case .unattended:
            guard protection == .open else { throw DeviceKeyError(.wrongAccess) }
            plain = Data(bytes)
        case .applicationPassword(let password):
            guard protection == .applicationPassword else { throw DeviceKeyError(.wrongAccess) }
            guard let box = try? AES.GCM.SealedBox(combined: bytes) else { throw DeviceKeyError(.corrupt) }
            do {
                plain = try AES.GCM.open(
                    box, using: Self.sealingKey(password, kind: kind, tag: tag), authenticating: Data(tag.bytes))
            } catch {
                throw DeviceKeyError(.wrongAccess)
            }
        }
        return SecretBytes(wiping: &plain)
    }

    private static func seal(_ secret: borrowing SecretBytes, under key: SymmetricKey, tag: KeyTag) -> Data {
        unsafe secret.withUnsafeBytes { secret in
            do {
                return unsafe try AES.GCM.seal(secret, using: key, authenticating: Data(tag.bytes)).combined ?? Data()
            } catch {
                // `seal` throws only for invalid keys and sizes, and both are fixed here.
                preconditionFailure("AES-GCM could not seal")
            }
        }
    }

    private static func sealingKey(_ password: borrowing SecretBytes, kind: Kind, tag: KeyTag) -> SymmetricKey {
        unsafe password.withUnsafeBytes { password in
            unsafe HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: UnsafeRawBufferPointer(password)),
                info: Data(kind.rawValue.utf8) + Data(tag.bytes), outputByteCount: 32)
        }
    }
}
