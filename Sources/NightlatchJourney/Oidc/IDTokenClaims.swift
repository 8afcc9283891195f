internal import NightlatchWire

/// The claims of an ID token that a client must compare
/// ([OpenID Connect Core 1.0, section 3.1.3.7](https://openid.net/specs/openid-connect-core-1_0.html)).
struct IDTokenClaims: Hashable, Sendable {
    let issuer: String?
    let subject: String?
    let nonce: String?
    private let audience: [String]

    /// Reads the claims without checking the signature. Returns nil if `token` is not a JWS with an object.
    init?(_ token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(String(parts[1])),
            let claims = Self.object(bytes)
        else { return nil }
        issuer = claims["iss"]?.string
        subject = claims["sub"]?.string
        nonce = claims["nonce"]?.string
        audience = claims["aud"]?.string.map { [$0] } ?? (claims["aud"]?.array ?? []).compactMap(\.string)
    }

    /// Whether the token is for this client, from this server, and about this user.
    ///
    /// - Parameters:
    ///   - nonce: The nonce of the request; nil if it had none, or for a refresh.
    ///   - earlier: The claims of the token that was refreshed.
    func isExpected(issuer: String?, client: String, nonce: String?, earlier: IDTokenClaims? = nil) -> Bool {
        audience.contains(client) && (issuer == nil || self.issuer == issuer) && (nonce == nil || self.nonce == nonce)
            && (earlier == nil || earlier?.subject == subject)
    }

    private static func object(_ bytes: [UInt8]) -> JSONObject? {
        do {
            return try JSONValue(parsing: bytes, limits: OidcServer.limits).object
        } catch {
            return nil
        }
    }
}
