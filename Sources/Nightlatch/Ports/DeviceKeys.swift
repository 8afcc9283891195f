public import Foundation
public import NightlatchWire

/// The signing keys of this device: in the Secure Enclave, in a TPM, or in software.
public protocol DeviceKeys: Sendable {
    /// Creates a key under a tag that has none. The key is durable when this returns.
    ///
    /// - Throws: ``DeviceKeyError``, with ``DeviceKeyError/Code/exists`` if the tag has a key; nothing is changed then.
    func create(_ tag: KeyTag, access: borrowing KeyAccess) async throws(DeviceKeyError) -> any DeviceKey

    /// Returns the key under `tag`, or nil if there is none.
    ///
    /// - Throws: ``DeviceKeyError`` if the key cannot be used, or if it is not known whether it exists. An error never
    ///   means that there is no key.
    func find(_ tag: KeyTag, access: borrowing KeyAccess) async throws(DeviceKeyError) -> (any DeviceKey)?

    /// Removes the key under `tag`, if it exists.
    func remove(_ tag: KeyTag) async throws(DeviceKeyError)
}

/// A signing key. Its calls are asynchronous, because hardware takes time and may ask the user first.
public protocol DeviceKey: Sendable {
    var publicKey: PublicJWK { get }
    /// The algorithm of its signatures, one of those that the public key allows.
    var algorithm: SignatureAlgorithm { get }
    /// The protection of the private key.
    var protection: KeyProtection { get }

    /// Returns the signature over `data` by the key's algorithm. For ES256 the signature is R and S, 32 bytes each.
    func sign(_ data: Data) async throws(DeviceKeyError) -> [UInt8]
}

/// The protection of a private key.
public enum KeyProtection: String, Codable, Hashable, Sendable {
    /// Software can read the key, in a file or an item. It can be copied.
    case software
    /// A chip holds the key and never gives it out.
    case hardware
}

/// The access that a key requires.
public enum KeyAccess: ~Copyable, Sendable {
    /// None: the key signs whenever the app runs.
    case unattended
    /// Random bytes that a vault keeps, so that the key signs only while the vault is open.
    ///
    /// They are the application password of a key in hardware; a key in software is sealed under them.
    case applicationPassword(SecretBytes)
}

/// The name of a key on this device.
public typealias KeyTag = Identifier<KeyTagRule>

public enum KeyTagRule: BinaryIdentifierRule {
    public static let name = "key tag"
    public static let byteCount = 16
}
