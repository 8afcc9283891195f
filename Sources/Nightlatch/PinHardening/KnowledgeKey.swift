import Crypto
public import Foundation
public import NightlatchWire

/// The key that proves that a PIN was right.
///
/// In the PIN slot, it is sealed under the PIN and the hardener's key alone, so neither biometrics nor a recovery
/// phrase gives access to it. It is in memory while the vault is open by PIN.
public struct KnowledgeKey: DeviceKey {
    public let publicKey: PublicJWK
    public let algorithm = SignatureAlgorithm.es256
    public let protection = KeyProtection.software
    private let key: P256.Signing.PrivateKey

    /// Creates a random key.
    public static func random() -> KnowledgeKey {
        // Ends: about one random key in 2³² is refused.
        while true {
            if let key = KnowledgeKey(P256.Signing.PrivateKey()) { return key }
        }
    }

    /// Creates a key from its bytes; nil if they are not a private key of P-256.
    init?(_ bytes: borrowing SecretBytes) {
        let key = CryptographyResidue.wiping {
            unsafe bytes.withUnsafeBytes { bytes in
                // The initialiser throws only for bytes that are not a key.
                unsafe try? P256.Signing.PrivateKey(rawRepresentation: UnsafeRawBufferPointer(bytes))
            }
        }
        guard let key else { return nil }
        self.init(key)
    }

    private init?(_ key: P256.Signing.PrivateKey) {
        let point = CryptographyResidue.wiping { ECPublicJWK(coordinates: [UInt8](key.publicKey.rawRepresentation)) }
        guard let point else { return nil }
        self.key = key
        publicKey = .ec(point)
    }

    /// The private key as bytes, for sealing.
    var bytes: SecretBytes {
        CryptographyResidue.wiping {
            var bytes = key.rawRepresentation
            return SecretBytes(wiping: &bytes)
        }
    }

    public func sign(_ data: Data) async throws(DeviceKeyError) -> [UInt8] {
        do {
            return try CryptographyResidue.wiping { [UInt8](try key.signature(for: data).rawRepresentation) }
        } catch {
            throw DeviceKeyError(.unavailable)
        }
    }
}
