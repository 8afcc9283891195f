public import Crypto
import Foundation
import NightlatchWire

/// Bytes sealed to a public key with HPKE in base mode.
///
/// It follows [RFC 9180](https://www.rfc-editor.org/rfc/rfc9180#section-6.1). Any holder of the public key can seal;
/// only the private key opens. So a new vault key can be wrapped without a prompt.
public struct HPKEBox: Hashable, Sendable {
    /// The sender's ephemeral public key: 65 bytes for P-256, 32 for X25519.
    public let encapsulatedKey: [UInt8]
    /// The ciphertext with its tag, 16 bytes longer than the plaintext.
    public let ciphertext: [UInt8]

    /// The suite for keys that biometrics release: DHKEM(P-256), HKDF-SHA256, AES-256-GCM.
    public static let biometricSuite = HPKE.Ciphersuite.P256_SHA256_AES_GCM_256
    /// The suite for keys from a recovery phrase: DHKEM(X25519), HKDF-SHA256, AES-256-GCM.
    static let recoverySuite = HPKE.Ciphersuite(
        kem: .Curve25519_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .AES_GCM_256)

    /// Creates a box from parts that were sealed elsewhere, for example by the test of a keyring.
    ///
    /// Nothing is checked: ``open(with:suite:info:)`` opens no box whose parts do not fit.
    public init(encapsulatedKey: [UInt8], ciphertext: [UInt8]) {
        self.encapsulatedKey = encapsulatedKey
        self.ciphertext = ciphertext
    }

    /// Seals `secret` to `key`.
    ///
    /// - Throws: `CryptoKitError` if `key` gives no shared secret, for example a point of low order that an attacker
    ///   chose.
    package init(
        sealing secret: borrowing SecretBytes,
        to key: some HPKEDiffieHellmanPublicKey,
        suite: HPKE.Ciphersuite,
        info: Transcript
    ) throws {
        (encapsulatedKey, ciphertext) = try CryptographyResidue.wiping { () throws in
            var sender = try HPKE.Sender(recipientKey: key, ciphersuite: suite, info: info.bytes)
            let ciphertext = unsafe try secret.withUnsafeBytes { bytes throws in
                unsafe try sender.seal(UnsafeRawBufferPointer(bytes))
            }
            return ([UInt8](sender.encapsulatedKey), [UInt8](ciphertext))
        }
    }

    /// Returns the secret, or nil if the box was not sealed to `key` with the same suite and info, or was changed
    /// since.
    ///
    /// - Throws: The errors of key agreement with `key`, for instance of a key in hardware. They say nothing about the
    ///   box.
    public func open<Key: HPKEDiffieHellmanPrivateKey>(
        with key: Key,
        suite: HPKE.Ciphersuite,
        info: [UInt8]
    ) throws -> SecretBytes? {
        try CryptographyResidue.wiping { () throws in
            // An encapsulated key that is not a public key is found here, so any error after this is the private key's.
            guard (try? Key.PublicKey(encapsulatedKey, kem: suite.kem)) != nil else { return nil }
            var recipient = try HPKE.Recipient(
                privateKey: key, ciphersuite: suite, info: Data(info), encapsulatedKey: Data(encapsulatedKey))
            guard var plaintext = try? recipient.open(ciphertext) else { return nil }
            return SecretBytes(wiping: &plaintext)
        }
    }
}

extension HPKEBox: Codable {
    private enum CodingKeys: String, CodingKey {
        case encapsulatedKey = "encapsulated_key"
        case ciphertext
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        encapsulatedKey = try container.decode(SealedBytes.self, forKey: .encapsulatedKey).bytes
        ciphertext = try container.decode(SealedBytes.self, forKey: .ciphertext).bytes
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Base64URL.encode(encapsulatedKey), forKey: .encapsulatedKey)
        try container.encode(Base64URL.encode(ciphertext), forKey: .ciphertext)
    }
}
