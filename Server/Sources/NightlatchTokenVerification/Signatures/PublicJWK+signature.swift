import Crypto
import CryptoExtras
package import NightlatchWire

extension PublicJWK {
    /// Returns whether `signature` is a valid signature of this key over `message`.
    ///
    /// False if the key does not support the algorithm.
    package func isSignature(_ signature: [UInt8], of message: [UInt8], by algorithm: SignatureAlgorithm) -> Bool {
        guard algorithms.contains(algorithm) else { return false }
        do {
            switch self {
            case .ec(let key):
                return try key.verificationKey.isValidSignature(
                    P256.Signing.ECDSASignature(rawRepresentation: signature), for: SHA256.digest(of: message))
            case .rsa(let key):
                return Self.isSignature(
                    signature, of: message, by: algorithm,
                    key: try _RSA.Signing.PublicKey(n: key.modulus, e: key.exponent))
            }
        } catch {
            // The signature has the wrong length. The key was checked when the JWK was parsed.
            return false
        }
    }

    private static func isSignature(
        _ signature: [UInt8],
        of message: [UInt8],
        by algorithm: SignatureAlgorithm,
        key: _RSA.Signing.PublicKey
    ) -> Bool {
        let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
        func isValid(_ digest: some Digest) -> Bool {
            key.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5)
        }
        return switch algorithm {
        case .es256: false
        case .rs256: isValid(SHA256.hash(data: message))
        case .rs384: isValid(SHA384.hash(data: message))
        case .rs512: isValid(SHA512.hash(data: message))
        }
    }
}
