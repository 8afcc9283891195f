import Crypto
import Foundation

/// A device's public key ([RFC 7517](https://www.rfc-editor.org/rfc/rfc7517)).
///
/// A JWK with a private member is refused, because its sender has exposed the private key.
public enum PublicJWK: Hashable, Sendable {
    case ec(ECPublicJWK)
    case rsa(RSAPublicJWK)

    /// The key's name: the SHA-256 hash of the required members in alphabetical order
    /// ([RFC 7638, section 3](https://www.rfc-editor.org/rfc/rfc7638#section-3)).
    public var thumbprint: KeyID {
        var members: [UInt8] = []
        switch self {
        case .ec(let key):
            // The same bytes as from `StrictJSON`, at a tenth of the cost. Base64url needs no escapes.
            members.reserveCapacity(128)
            members += Self.partsOfEC.start
            members += key.x.utf8
            members += Self.partsOfEC.middle
            members += key.y.utf8
            members += Self.partsOfEC.end
        case .rsa: members = StrictJSON.bytes(of: self)
        }
        var hash = SHA256()
        unsafe members.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
        return KeyID(unchecked: Base64URL.encode(unsafe hash.finalize().withUnsafeBytes { unsafe [UInt8]($0) }))
    }

    /// The algorithms with which this key may sign.
    public var algorithms: Set<SignatureAlgorithm> {
        switch self {
        case .ec: Self.algorithmsOfEC
        case .rsa: Self.algorithmsOfRSA
        }
    }

    private static let algorithmsOfEC: Set<SignatureAlgorithm> = [.es256]
    private static let algorithmsOfRSA: Set<SignatureAlgorithm> = [.rs256, .rs384, .rs512]
}

extension PublicJWK {
    /// The JSON text around the coordinates of a P-256 key.
    private static let partsOfEC = (
        start: Array(#"{"crv":"P-256","kty":"EC","x":""#.utf8), middle: Array(#"","y":""#.utf8), end: Array(#""}"#.utf8)
    )

    /// Reads the JSON of a single key. A P-256 key in the exact form of `StrictJSON` is much faster to read than
    /// others.
    ///
    /// - Throws: ``StrictJSONError``. Nothing of the text is used.
    public init(json: [UInt8]) throws(StrictJSONError) {
        if let key = Self.writtenEC(json) {
            self = .ec(key)
        } else {
            self = try StrictJSON.decode(Self.self, from: json)
        }
    }

    private static func writtenEC(_ json: [UInt8]) -> ECPublicJWK? {
        let (start, middle, end) = partsOfEC
        // The base64url length of 32 bytes.
        let digitCount = 43
        let (x, y) = (start.count, start.count + digitCount + middle.count)
        guard json.count == y + digitCount + end.count, json.starts(with: start),
            json[(x + digitCount)...].starts(with: middle), json[(y + digitCount)...].elementsEqual(end),
            let first = Base64URL.decode(utf8: json[x..<(x + digitCount)]),
            let second = Base64URL.decode(utf8: json[y..<(y + digitCount)])
        else { return nil }
        return ECPublicJWK(coordinates: first + second)
    }
}

extension PublicJWK: Codable {
    /// The private members, which no public key may have.
    private static let secretMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    public init(from decoder: any Decoder) throws {
        let members = try JSONObjectReader(decoder)
        guard !Self.secretMembers.contains(where: members.contains) else {
            throw Self.corrupt(decoder, "private members in a public key")
        }
        func bytes(_ member: String) throws -> [UInt8] {
            let text: String = try members.value(member)
            guard let bytes = Base64URL.decode(text) else { throw Self.corrupt(decoder, "\(member) is not base64url") }
            return bytes
        }
        let kind: String = try members.value("kty")
        switch kind {
        case "EC":
            let (x, y) = (try bytes("x"), try bytes("y"))
            let curve: String = try members.value("crv")
            guard curve == "P-256", x.count == 32, let key = ECPublicJWK(coordinates: x + y) else {
                throw Self.corrupt(decoder, "not a point on P-256")
            }
            self = .ec(key)
        case "RSA":
            guard let key = RSAPublicJWK(modulus: try bytes("n"), exponent: try bytes("e")) else {
                throw Self.corrupt(decoder, "not an RSA key of 2048 to 4096 bits")
            }
            self = .rsa(key)
        default:
            throw Self.corrupt(decoder, "unknown type of key")
        }
    }

    /// Writes only the required members, which ``thumbprint`` hashes.
    public func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        switch self {
        case .ec(let key):
            try members.add("crv", "P-256")
            try members.add("kty", "EC")
            try members.add("x", key.x)
            try members.add("y", key.y)
        case .rsa(let key):
            try members.add("e", Base64URL.encode(key.exponent))
            try members.add("kty", "RSA")
            try members.add("n", Base64URL.encode(key.modulus))
        }
    }

    private static func corrupt(_ decoder: any Decoder, _ reason: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: reason))
    }
}
