/// The signature algorithms of device keys
/// ([RFC 7518, section 3.1](https://www.rfc-editor.org/rfc/rfc7518#section-3.1)).
///
/// There is no `none` and no shared-secret algorithm. Decoding a header with one fails.
public enum SignatureAlgorithm: String, Codable, Hashable, Sendable, CaseIterable {
    /// ECDSA on P-256 with SHA-256; the signature is R and S, 32 bytes each.
    case es256 = "ES256"
    /// RSA PKCS #1 v1.5 with SHA-256.
    case rs256 = "RS256"
    /// RSA PKCS #1 v1.5 with SHA-384.
    case rs384 = "RS384"
    /// RSA PKCS #1 v1.5 with SHA-512.
    case rs512 = "RS512"
}
