import Crypto
public import Foundation
public import NightlatchWire

/// The key that proves that a PIN was right: in the PIN slot it is sealed under the PIN and the other side's key alone, so neither biometrics
/// nor a recovery phrase reaches it. It is in memory while the vault is open by PIN.
public struct KnowledgeKey: DeviceKey {
    public let publicKey: PublicJWK
    public let algorithm = SignatureAlgorithm.es256
    public let protection = KeyProtection.software
    private let key: P256.Signing.PrivateKey

    /// A new key.
    public static func random() -> KnowledgeKey {
        // Ends: of 2³² random keys one or so is refused.
        while true {
            if let key = KnowledgeKey(P256.Signing.PrivateKey()) { return key }
        }
    }

    /// Returns nil for bytes that are no private key of P-256.
    init?(_ bytes: borrowing SecretBytes) {
        let key = CryptographyResidue.wiping {
            unsafe bytes.withUnsafeBytes { bytes in
                // The initialiser throws for bytes that are no key alone.
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

    /// The private key, to be sealed.
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
