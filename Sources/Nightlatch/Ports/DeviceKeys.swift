public import Foundation
public import NightlatchWire

/// The signing keys of this device: in the Secure Enclave, in a TPM, or in software.
public protocol DeviceKeys: Sendable {
    /// Makes a key under a tag that has none. It is durable when this returns.
    ///
    /// - Throws: ``DeviceKeyError``, with ``DeviceKeyError/Code/exists`` if the tag has a key; nothing was changed.
    func create(_ tag: KeyTag, access: borrowing KeyAccess) async throws(DeviceKeyError) -> any DeviceKey

    /// The key under `tag`, or nil if there is none.
    ///
    /// - Throws: ``DeviceKeyError`` if it cannot be told or used. That is never "none".
    func find(_ tag: KeyTag, access: borrowing KeyAccess) async throws(DeviceKeyError) -> (any DeviceKey)?

    /// Removes the key under `tag`, if there is one.
    func remove(_ tag: KeyTag) async throws(DeviceKeyError)
}

/// One signing key. It is asked asynchronously, because hardware takes its time and may ask a person first.
public protocol DeviceKey: Sendable {
    var publicKey: PublicJWK { get }
    /// The algorithm of its signatures, one of the public key's.
    var algorithm: SignatureAlgorithm { get }
    /// What keeps the private key.
    var protection: KeyProtection { get }

    /// The signature over `data` by the key's algorithm; for ES256 R and S, 32 bytes each.
    func sign(_ data: Data) async throws(DeviceKeyError) -> [UInt8]
}

/// What keeps a private key.
public enum KeyProtection: String, Codable, Hashable, Sendable {
    /// A file or an item that software reads. It can be copied.
    case software
    /// A chip that never gives the key out.
    case hardware
}

/// What must be given to use a key.
public enum KeyAccess: ~Copyable, Sendable {
    /// Nothing: the key signs whenever the app runs.
    case unattended
    /// Random bytes that a vault keeps, so that the key signs only while the vault is open. In hardware it is the key's
    /// application password; a key in software is sealed under it.
    case applicationPassword(SecretBytes)
}

/// The name of a key on this device.
public typealias KeyTag = Identifier<KeyTagRule>

public enum KeyTagRule: BinaryIdentifierRule {
    public static let name = "key tag"
    public static let byteCount = 16
}
