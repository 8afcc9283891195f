public import NightlatchWire

/// A verified access token.
///
/// Only `AccessTokenVerifier` makes one. The token names the user and the device at the time when it was issued. Only
/// the relying party knows whether the device is still permitted and the login still valid.
public struct VerifiedAccessToken: Hashable, Sendable {
    public let claims: AccessTokenClaims

    fileprivate init(_ claims: AccessTokenClaims) {
        self.claims = claims
    }
}

/// The reason why an access token was refused.
///
/// All reasons give the same response. Only logs and tests distinguish them.
package enum AccessTokenRefusal: Error, Hashable, Sendable {
    /// The request has no access token, or more than one.
    case missing
    case malformed(JWSError)
    /// The token's `kid` is missing, or names no key of the relying party.
    case unknownKey
    /// The token is not signed with ES256.
    case wrongAlgorithm
    case wrongSignature
    /// The token is from another issuer, or for another audience.
    case notOurs
    /// The token's app is no longer permitted.
    case unknownClient
    case expired
    /// The clock of the server that issued the token was ahead of this server's clock.
    case issuedAhead
    /// The token's device does not exist.
    case unknownDevice
    /// The device's possession key has been replaced.
    case keyReplaced
    /// The token's login was ended, or a later login replaced it.
    case sessionEnded
}

/// Verifies access tokens ([RFC 9068, section 4](https://www.rfc-editor.org/rfc/rfc9068#section-4)).
package struct AccessTokenVerifier: Sendable {
    package let relyingParty: Issuer
    package let audience: Issuer
    /// The apps whose tokens are accepted; nil for all.
    package let clients: Set<ClientID>?
    private let keys: [KeyID: PublicJWK]

    /// - Parameters:
    ///   - relyingParty: The issuer of the tokens.
    ///   - audience: The audience of the tokens; by default the relying party itself.
    ///   - clients: The apps whose tokens are accepted; nil for all that the relying party serves.
    ///   - keys: The relying party's keys.
    package init(relyingParty: Issuer, audience: Issuer? = nil, clients: Set<ClientID>?, keys: [PublicJWK]) {
        self.relyingParty = relyingParty
        self.audience = audience ?? relyingParty
        self.clients = clients
        self.keys = Dictionary(keys.map { ($0.thumbprint, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Verifies a token:
    ///
    /// 1. The token is a compact JWS with `typ` `at+jwt`.
    /// 2. `kid` names one of the relying party's keys; a token without `kid` is refused. `alg` is ES256.
    /// 3. That key made the signature.
    /// 4. The claims are valid; they are parsed only after the other checks, and strictly. `iss` is the relying party,
    ///    `aud` is the expected audience, `client_id` is a permitted app, `exp` is in the future, and `iat` is at most
    ///    a minute ahead.
    package func verify(_ token: AccessToken, now: NumericDate) throws(AccessTokenRefusal) -> VerifiedAccessToken {
        let jws = try CompactJWS(token.rawValue, of: .accessToken, refusal: AccessTokenRefusal.self)
        guard let key = jws.header.keyID.flatMap({ keys[$0] }), jws.header.key == nil else { throw .unknownKey }
        guard jws.header.algorithm == .es256 else { throw .wrongAlgorithm }
        guard jws.isSigned(by: key) else { throw .wrongSignature }
        let claims: AccessTokenClaims = try jws.verifiedClaims(refusal: AccessTokenRefusal.self)
        guard claims.issuer == relyingParty, claims.audience == audience else { throw .notOurs }
        guard clients?.contains(claims.clientID) ?? true else { throw .unknownClient }
        guard claims.expiresAt > now else { throw .expired }
        // Without this check, a token that was issued while the issuer's clock was ahead would be valid for too long.
        guard claims.issuedAt <= now + MessageLife.clockTolerance else { throw .issuedAhead }
        return VerifiedAccessToken(claims)
    }
}
