import Crypto
import CryptoExtras
import Foundation
package import NightlatchWire

extension CompactJWS {
    /// Whether ``signature`` is one by `key` over the message.
    ///
    /// The key decides: a header that names an algorithm which is not the key's own is refused, so no message can choose how
    /// it is checked ([RFC 8725, section 3.1](https://www.rfc-editor.org/rfc/rfc8725#section-3.1)).
    package func isSigned(by key: PublicJWK) -> Bool {
        guard key.algorithms.contains(header.algorithm) else { return false }
        do {
            switch key {
            case .ec(let key):
                return try key.verificationKey.isValidSignature(
                    P256.Signing.ECDSASignature(rawRepresentation: signature), for: signingInput)
            case .rsa(let key):
                return isSigned(by: try _RSA.Signing.PublicKey(n: key.modulus, e: key.exponent))
            }
        } catch {
            // A signature of the wrong length. The key was checked when the JWK was read.
            return false
        }
    }

    private func isSigned(by key: _RSA.Signing.PublicKey) -> Bool {
        let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
        func isValid(_ digest: some Digest) -> Bool {
            key.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5)
        }
        return switch header.algorithm {
        case .es256: false
        case .rs256: isValid(SHA256.hash(data: signingInput))
        case .rs384: isValid(SHA384.hash(data: signingInput))
        case .rs512: isValid(SHA512.hash(data: signingInput))
        }
    }
}
