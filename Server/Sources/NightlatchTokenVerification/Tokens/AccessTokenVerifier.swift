public import NightlatchWire

/// An access token that was verified. Only `AccessTokenVerifier` makes one. It says who the caller was when it was issued:
/// whether the device may still call, and whether the login still holds, is for the relying party to say.
public struct VerifiedAccessToken: Hashable, Sendable {
    public let claims: AccessTokenClaims

    fileprivate init(_ claims: AccessTokenClaims) {
        self.claims = claims
    }
}

/// Why an access token was refused. The answer on the wire is the same for all of them; logs and tests tell them apart.
package enum AccessTokenRefusal: Error, Hashable, Sendable {
    /// The request carries none, or more than one.
    case missing
    case malformed(JWSError)
    /// No key of the relying party is named.
    case unknownKey
    /// It is not signed with ES256.
    case wrongAlgorithm
    case wrongSignature
    /// It was issued by or for somebody else.
    case notOurs
    /// Its app may speak no more.
    case unknownClient
    case expired
    /// It was issued by a clock that is ahead of this one.
    case issuedAhead
    /// Its device is not there any more.
    case unknownDevice
    /// Its device has another possession key by now.
    case keyReplaced
    /// The login that it came of was ended, or replaced by a later one.
    case sessionEnded
}

/// Verifies access tokens ([RFC 9068, section 4](https://www.rfc-editor.org/rfc/rfc9068#section-4)).
package struct AccessTokenVerifier: Sendable {
    package let relyingParty: Issuer
    package let audience: Issuer
    /// The apps whose tokens are good; nil for all.
    package let clients: Set<ClientID>?
    private let keys: [KeyID: PublicJWK]

    /// - Parameters:
    ///   - relyingParty: Who issues the tokens.
    ///   - audience: For whom they are issued: the relying party itself, unless it is said.
    ///   - clients: The apps whose tokens are good; nil for all that the relying party serves.
    ///   - keys: The relying party's keys.
    package init(relyingParty: Issuer, audience: Issuer? = nil, clients: Set<ClientID>?, keys: [PublicJWK]) {
        self.relyingParty = relyingParty
        self.audience = audience ?? relyingParty
        self.clients = clients
        self.keys = Dictionary(keys.map { ($0.thumbprint, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// 1. The token is a compact JWS with `typ` `at+jwt`.
    /// 2. `kid` names one of the relying party's keys; there is no key for tokens that name none. `alg` is ES256.
    /// 3. The signature is by that key.
    /// 4. Only now the claims are read, strictly: `iss` is the relying party, `aud` is this server, `client_id` is an app that may
    ///    speak, `exp` is to come, and `iat` is at most a minute ahead.
    package func verify(_ token: AccessToken, now: NumericDate) throws(AccessTokenRefusal) -> VerifiedAccessToken {
        let jws = try CompactJWS(token.rawValue, of: .accessToken, refusal: AccessTokenRefusal.self)
        guard let key = jws.header.keyID.flatMap({ keys[$0] }), jws.header.key == nil else { throw .unknownKey }
        guard jws.header.algorithm == .es256 else { throw .wrongAlgorithm }
        guard jws.isSigned(by: key) else { throw .wrongSignature }
        let claims: AccessTokenClaims = try jws.verifiedClaims(refusal: AccessTokenRefusal.self)
        guard claims.issuer == relyingParty, claims.audience == audience else { throw .notOurs }
        guard clients?.contains(claims.clientID) ?? true else { throw .unknownClient }
        guard claims.expiresAt > now else { throw .expired }
        // Else a token that was issued while the clock was ahead would serve for as long as it was.
        guard claims.issuedAt <= now + MessageLife.clockTolerance else { throw .issuedAhead }
        return VerifiedAccessToken(claims)
    }
}
