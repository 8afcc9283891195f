/// The id of a public key: the SHA-256 thumbprint of its JWK ([RFC 7638](https://www.rfc-editor.org/rfc/rfc7638)).
///
/// ``PublicJWK/thumbprint`` computes it.
public typealias KeyID = Identifier<KeyIDRule>

public enum KeyIDRule: BinaryIdentifierRule {
    public static let name = "key id"
    public static let byteCount = 32
}
