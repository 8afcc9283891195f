package import Crypto
package import CryptoExtras
package import Foundation
package import NightlatchWire
import Testing

/// A signing key of a test device.
package enum TestKey: Sendable {
    case ec(P256.Signing.PrivateKey)
    case rsa(_RSA.Signing.PrivateKey)

    package static func newEC() -> Self { .ec(P256.Signing.PrivateKey()) }

    package var jwk: PublicJWK {
        get throws {
            switch self {
            case .ec(let key):
                return .ec(try #require(ECPublicJWK(coordinates: Array(key.publicKey.rawRepresentation))))
            case .rsa(let key):
                let primitives = try key.publicKey.getKeyPrimitives()
                return .rsa(
                    try #require(
                        RSAPublicJWK(modulus: Array(primitives.modulus), exponent: Array(primitives.publicExponent))))
            }
        }
    }

    package var id: KeyID { get throws { try jwk.thumbprint } }

    /// Signs with `algorithm`, whether it suits the key or not.
    package func sign(_ data: Data, algorithm: String) throws -> Data {
        switch (self, algorithm) {
        case (_, "none"): Data()
        case (_, "HS256"):
            Data(HMAC<SHA256>.authenticationCode(for: data, using: .init(data: StrictJSON.encode(try jwk))))
        case (.ec(let key), _): try key.signature(for: data).rawRepresentation
        case (.rsa(let key), "RS384"):
            try key.signature(for: SHA384.hash(data: data), padding: .insecurePKCS1v1_5).rawRepresentation
        case (.rsa(let key), "RS512"):
            try key.signature(for: SHA512.hash(data: data), padding: .insecurePKCS1v1_5).rawRepresentation
        case (.rsa(let key), _):
            try key.signature(for: SHA256.hash(data: data), padding: .insecurePKCS1v1_5).rawRepresentation
        }
    }
}
