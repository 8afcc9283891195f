import Crypto
import Foundation
public import NightlatchWire

/// The token that a caller with an API key sends as a bearer token: `nlk_`, the key's id, `_`, and 32 random bytes in
/// `Base64URL`, together 80 characters.
///
/// Programs that search for leaked secrets recognise it by the prefix and the length. The token is shown once, when the
/// key is created. Only `Identifier/rawValue` reveals it.
public typealias APIToken = Identifier<APITokenRule>

public enum APITokenRule: IdentifierRule {
    public static let name = "API token"
    public static let isSecret = true
    /// The first characters of every token.
    public static let prefix = "nlk_"
    /// The length of every token, in characters of ASCII.
    public static let characterCount = 80
    public static let requirement = "an API token of \(characterCount) characters that begins with \(prefix)"

    public static func accepts(_ text: String) -> Bool { APITokenParts(text) != nil }
}

/// The parts of a token.
private struct APITokenParts {
    private static let idLength = 32

    let id: APIKeyID
    let secret: Identifier<APISecretRule>

    /// Returns nil for a text that is not exactly a token.
    init?(_ text: String) {
        // The length first: it bounds the work on untrusted text.
        guard text.utf8.count == APITokenRule.characterCount, text.utf8.starts(with: APITokenRule.prefix.utf8) else {
            return nil
        }
        let rest = text.utf8.dropFirst(APITokenRule.prefix.utf8.count)
        guard rest.dropFirst(Self.idLength).first == UInt8(ascii: "_"),
            let id = String(rest.prefix(Self.idLength)).flatMap(APIKeyID.init(rawValue:)),
            let secret = String(rest.dropFirst(Self.idLength + 1)).flatMap(Identifier<APISecretRule>.init(rawValue:))
        else { return nil }
        self.id = id
        self.secret = secret
    }
}

/// The secret part of a token.
private enum APISecretRule: BinaryIdentifierRule {
    static let name = "API secret"
    static let byteCount = 32
    static let isSecret = true
}

/// SHA-256 of the secret bytes of an API token. The secret has 256 random bits, so its hash does not reveal it.
public typealias APISecretHash = StoredHash<APISecretSubject>

/// The subject of the hash of an API token's secret.
public enum APISecretSubject: StoredHashSubject {}

extension Identifier where Rule == APITokenRule {
    /// Creates a token with a new secret for the key `id`.
    public static func random(for id: APIKeyID) -> Self {
        let secret = Identifier<APISecretRule>.random().rawValue
        guard let token = Self(rawValue: "\(APITokenRule.prefix)\(id.rawValue)_\(secret)") else {
            // An id and a secret have the lengths that the rule requires.
            preconditionFailure("a token of another length")
        }
        return token
    }

    private var parts: APITokenParts {
        guard let parts = APITokenParts(rawValue) else {
            // The rule accepts only texts that have these parts.
            preconditionFailure("a token without its parts")
        }
        return parts
    }

    /// The id of the key, which is no secret.
    public var keyID: APIKeyID { parts.id }

    /// The hash of the secret, which a store keeps.
    public var hash: APISecretHash { APISecretHash(SHA256.hash(data: Data(parts.secret.bytes))) }

    /// Whether the secret has this hash. Compares in constant time.
    package func isOf(_ hash: APISecretHash) -> Bool {
        SHA256.hash(data: Data(parts.secret.bytes)) == Data(hash.bytes)
    }
}
