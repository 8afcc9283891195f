package import NightlatchWire

/// An access token that was verified. Only ``AccessTokenVerifier`` makes one. It says who the caller was when it was issued:
/// whether the device may still call is for the store to say.
package struct VerifiedAccessToken: Hashable, Sendable {
    package let user: UserID
    package let device: DeviceID
    package let client: ClientID
    /// The key whose proof must come with it.
    package let possessionKey: KeyID

    fileprivate init(_ claims: AccessTokenClaims) {
        user = claims.subject
        device = claims.device
        client = claims.clientID
        possessionKey = claims.confirmation.possessionKey
    }
}

/// Why an access token was refused. The answer on the wire is the same for all of them; logs and tests tell them apart.
package enum AccessTokenRefusal: Error, Hashable, Sendable {
    /// The request carries none, or more than one.
    case missing
    case malformed(JWSError)
    /// No key of this relying party is named.
    case unknownKey
    case wrongSignature
    /// It was issued by or for somebody else.
    case notOurs
    /// Its app may speak no more.
    case unknownClient
    case expired
    /// Its device is not there any more.
    case unknownDevice
    /// Its device has another possession key by now.
    case keyReplaced
}

/// Verifies access tokens ([RFC 9068, section 4](https://www.rfc-editor.org/rfc/rfc9068#section-4)).
package struct AccessTokenVerifier: Sendable {
    package let relyingParty: Issuer
    package let clients: Set<ClientID>
    private let keys: [KeyID: PublicJWK]

    package init(relyingParty: Issuer, clients: Set<ClientID>, keys: [PublicJWK]) {
        self.relyingParty = relyingParty
        self.clients = clients
        self.keys = Dictionary(keys.map { ($0.thumbprint, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// 1. The token is a compact JWS with `typ` `at+jwt`.
    /// 2. `kid` names one of this relying party's keys; there is no key for tokens that name none.
    /// 3. The signature is by that key.
    /// 4. Only now the claims are read, strictly: `iss` and `aud` are this relying party, `client_id` is an app that it knows, `exp`
    ///    is to come.
    package func verify(_ token: AccessToken, now: NumericDate) throws(AccessTokenRefusal) -> VerifiedAccessToken {
        let jws = try CompactJWS(token.rawValue, of: .accessToken, refusal: AccessTokenRefusal.self)
        guard let key = jws.header.keyID.flatMap({ keys[$0] }), jws.header.key == nil else { throw .unknownKey }
        guard jws.isSigned(by: key) else { throw .wrongSignature }
        let claims: AccessTokenClaims = try jws.verifiedClaims(refusal: AccessTokenRefusal.self)
        guard claims.issuer == relyingParty, claims.audience == relyingParty else { throw .notOurs }
        guard clients.contains(claims.clientID) else { throw .unknownClient }
        guard claims.expiresAt > now else { throw .expired }
        return VerifiedAccessToken(claims)
    }
}
