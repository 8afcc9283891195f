internal import NightlatchWire

/// The claims of an ID token that a client must compare
/// ([OpenID Connect Core 1.0, section 3.1.3.7](https://openid.net/specs/openid-connect-core-1_0.html)).
///
/// | claim | must be |
/// |---|---|
/// | `iss` | the issuer of the discovery document |
/// | `aud` | this client, or a list with it |
/// | `azp` | this client, if it is there |
/// | `nonce` | the value of the request; after a refresh the earlier one, if it is there |
/// | `sub` | after a refresh, the subject of the earlier token |
/// | `exp`, `iat` | there, and in this order |
///
/// Two checks are left out. The signature is not verified, because the token comes from the token endpoint itself over
/// TLS, which that section allows. `exp` is not compared with the device's clock: the token was issued in answer to
/// this request, and a wrong clock would make the client discard a refresh token that the server has replaced.
struct IDTokenClaims: Hashable, Sendable {
    let issuer: String?
    let subject: String?
    let nonce: String?
    private let audience: [String]
    private let authorizedParty: String?
    private let hasLifetime: Bool

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
        authorizedParty = claims["azp"]?.string
        if let issue = claims["iat"]?.integer, let end = claims["exp"]?.integer {
            hasLifetime = issue < end
        } else {
            hasLifetime = false
        }
    }

    /// Whether the token is for this client, from this server, and about this user.
    ///
    /// - Parameters:
    ///   - nonce: The nonce of the request; nil if it had none, or for a refresh.
    ///   - earlier: The claims of the token that was refreshed.
    func isExpected(issuer: String?, client: String, nonce: String?, earlier: IDTokenClaims? = nil) -> Bool {
        guard hasLifetime, audience.contains(client), authorizedParty == nil || authorizedParty == client,
            issuer == nil || self.issuer == issuer, nonce == nil || self.nonce == nonce
        else { return false }
        guard let earlier else { return true }
        return subject == earlier.subject && (self.nonce == nil || earlier.nonce == nil || self.nonce == earlier.nonce)
    }

    private static func object(_ bytes: [UInt8]) -> JSONObject? {
        do {
            return try JSONValue(parsing: bytes, limits: OidcServer.limits).object
        } catch {
            return nil
        }
    }
}
