import Crypto
import Foundation

/// A device's public key ([RFC 7517](https://www.rfc-editor.org/rfc/rfc7517)). A JWK that carries any private member is
/// refused: whoever sends one has lost the key.
public enum PublicJWK: Hashable, Sendable {
    case ec(ECPublicJWK)
    case rsa(RSAPublicJWK)

    /// The key's name: SHA-256 over the required members in the order of their names
    /// ([RFC 7638, section 3](https://www.rfc-editor.org/rfc/rfc7638#section-3)).
    public var thumbprint: KeyID {
        let members =
            switch self {
            // As `StrictJSON` would write it, at a tenth of the cost: base64url needs no escapes.
            case .ec(let key): Data(#"{"crv":"P-256","kty":"EC","x":"\#(key.x)","y":"\#(key.y)"}"#.utf8)
            case .rsa: StrictJSON.encode(self)
            }
        return KeyID(unchecked: Base64URL.encode(Array(SHA256.hash(data: members))))
    }

    /// The algorithms that a signature by this key may be of.
    public var algorithms: Set<SignatureAlgorithm> {
        switch self {
        case .ec: [.es256]
        case .rsa: [.rs256, .rs384, .rs512]
        }
    }
}

extension PublicJWK: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case kty, crv, x, y, n, e
        case d, p, q, dp, dq, qi, oth, k

        static let secret: [Self] = [.d, .p, .q, .dp, .dq, .qi, .oth, .k]
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard !CodingKeys.secret.contains(where: container.contains) else {
            throw Self.corrupt(container, "private members in a public key")
        }
        func bytes(_ member: CodingKeys) throws -> [UInt8] {
            guard let bytes = Base64URL.decode(try container.decode(String.self, forKey: member)) else {
                throw Self.corrupt(container, "\(member.rawValue) is not base64url")
            }
            return bytes
        }
        switch try container.decode(String.self, forKey: .kty) {
        case "EC":
            let (x, y) = (try bytes(.x), try bytes(.y))
            guard try container.decode(String.self, forKey: .crv) == "P-256", x.count == 32,
                let key = ECPublicJWK(coordinates: x + y)
            else { throw Self.corrupt(container, "not a point on P-256") }
            self = .ec(key)
        case "RSA":
            guard let key = RSAPublicJWK(modulus: try bytes(.n), exponent: try bytes(.e)) else {
                throw Self.corrupt(container, "not an RSA key of 2048 to 4096 bits")
            }
            self = .rsa(key)
        default:
            throw Self.corrupt(container, "unknown kind of key")
        }
    }

    /// Writes the required members alone, which is what ``thumbprint`` is over.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .ec(let key):
            try container.encode("EC", forKey: .kty)
            try container.encode("P-256", forKey: .crv)
            try container.encode(key.x, forKey: .x)
            try container.encode(key.y, forKey: .y)
        case .rsa(let key):
            try container.encode("RSA", forKey: .kty)
            try container.encode(Base64URL.encode(key.modulus), forKey: .n)
            try container.encode(Base64URL.encode(key.exponent), forKey: .e)
        }
    }

    private static func corrupt(_ container: KeyedDecodingContainer<CodingKeys>, _ reason: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: container.codingPath, debugDescription: reason))
    }
}
