package import NightlatchWire

/// The claims of an app's access token
/// ([RFC 9068, section 2.2](https://www.rfc-editor.org/rfc/rfc9068#section-2.2)).
///
/// They name no device, so no route for devices accepts the token.
package struct AppTokenClaims: MessageClaims, Hashable {
    package static let messageType = MessageType.accessToken

    package let issuer: Issuer
    package let subject: UserID
    package let audience: Issuer
    package let clientID: ClientID
    package let id: MessageID
    package let issuedAt: NumericDate
    package let expiresAt: NumericDate
    package let scopes: [AppScope]
    package let grant: GrantID
    package let authenticatedAt: NumericDate
    package let contextClass: String
    /// The key that must sign the DPoP proof sent with the token; nil for a bearer token.
    package let possessionKey: KeyID?

    init(_ grant: AppGrant, scopes: [AppScope], issuer: Issuer, now: NumericDate, life: Duration) {
        let authorization = grant.authorization
        self.issuer = issuer
        self.grant = grant.id
        subject = authorization.user
        audience = issuer
        clientID = authorization.client
        id = .random()
        issuedAt = now
        expiresAt = now + life
        self.scopes = scopes
        authenticatedAt = authorization.authenticatedAt
        contextClass = authorization.journey
        possessionKey = authorization.possessionKey
    }

    package init(from decoder: any Decoder) throws {
        let members = try JSONObjectReader(decoder)
        issuer = try members.value("iss")
        subject = try members.value("sub")
        audience = try members.value("aud")
        clientID = try members.value("client_id")
        id = try members.value("jti")
        issuedAt = try members.value("iat")
        expiresAt = try members.value("exp")
        scopes = try members.value("scope", as: String.self).split(separator: " ").compactMap {
            AppScope(rawValue: String($0))
        }
        grant = try members.value("grant_id")
        authenticatedAt = try members.value("auth_time")
        contextClass = try members.value("acr")
        possessionKey = try members.optionalValue("cnf", as: Confirmation.self)?.key
    }

    package func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("acr", contextClass)
        try members.add("aud", audience)
        try members.add("auth_time", authenticatedAt)
        try members.add("client_id", clientID)
        if let possessionKey { try members.add("cnf", Confirmation(key: possessionKey)) }
        try members.add("exp", expiresAt)
        try members.add("grant_id", grant)
        try members.add("iat", issuedAt)
        try members.add("iss", issuer)
        try members.add("jti", id)
        try members.add("scope", scopes.text)
        try members.add("sub", subject)
    }

    private struct Confirmation: Codable {
        let key: KeyID

        private enum CodingKeys: String, CodingKey { case key = "jkt" }
    }
}

/// The claims of an ID token
/// ([OpenID Connect Core, section 2](https://openid.net/specs/openid-connect-core-1_0.html#IDToken)).
package struct IDTokenClaims: MessageClaims, Hashable {
    package static let messageType = MessageType.idToken

    package let issuer: Issuer
    package let subject: UserID
    package let audience: ClientID
    package let issuedAt: NumericDate
    package let expiresAt: NumericDate
    package let authenticatedAt: NumericDate
    package let contextClass: String
    package let nonce: String?
    /// The first half of the access token's SHA-256 hash.
    package let accessTokenHash: String?
    /// The hash of the session's token. It identifies the session and does not reveal the token.
    package let session: JourneySessionHash
    /// The claims about the user; nil in an ID token that was read, because it only names a session.
    private let user: UserInformation?

    init(
        _ grant: AppGrant, of user: UserInformation, issuer: Issuer, nonce: String?, accessTokenHash: String,
        now: NumericDate, life: Duration
    ) {
        let authorization = grant.authorization
        self.issuer = issuer
        self.nonce = nonce
        self.accessTokenHash = accessTokenHash
        self.user = user
        subject = authorization.user
        audience = authorization.client
        issuedAt = now
        expiresAt = now + life
        authenticatedAt = authorization.authenticatedAt
        contextClass = authorization.journey
        session = authorization.session
    }

    package init(from decoder: any Decoder) throws {
        let members = try JSONObjectReader(decoder)
        issuer = try members.value("iss")
        subject = try members.value("sub")
        audience = try members.value("aud")
        issuedAt = try members.value("iat")
        expiresAt = try members.value("exp")
        authenticatedAt = try members.value("auth_time")
        contextClass = try members.value("acr")
        nonce = try members.optionalValue("nonce")
        accessTokenHash = try members.optionalValue("at_hash")
        session = JourneySessionHash(try members.value("sid", as: Challenge.self).bytes)
        user = nil
    }

    /// The claims that every ID token may have, without those of ``UserInformation``.
    static let claims = ["acr", "at_hash", "aud", "auth_time", "azp", "exp", "iat", "iss", "nonce", "sid"]

    package func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("acr", contextClass)
        if let accessTokenHash { try members.add("at_hash", accessTokenHash) }
        try members.add("aud", audience)
        try members.add("auth_time", authenticatedAt)
        try members.add("azp", audience)
        try members.add("exp", expiresAt)
        try members.add("iat", issuedAt)
        try members.add("iss", issuer)
        if let nonce { try members.add("nonce", nonce) }
        try members.add("sid", Base64URL.encode(session.bytes))
        try members.add("sub", subject)
        try user?.add(to: &members)
    }
}
