/// The current state of a token ([RFC 7662, section 2.2](https://www.rfc-editor.org/rfc/rfc7662#section-2.2)).
public struct TokenIntrospection: Codable, Hashable, Sendable {
    public let isActive: Bool
    /// The claims of an active token. Nil for any other token: the answer says nothing about it.
    public let details: Details?

    /// The claims of an active token.
    public struct Details: Codable, Hashable, Sendable {
        /// `DPoP` for an access token, nil for a refresh token.
        public let tokenType: TokenGrant.TokenType?
        public let issuer: Issuer
        public let subject: UserID
        public let clientID: ClientID
        public let device: DeviceID
        public let session: SessionID
        /// The party that may accept an access token. Nil for a refresh token.
        public let audience: Issuer?
        public let id: MessageID?
        public let issuedAt: NumericDate?
        public let expiresAt: NumericDate
        public let authenticatedAt: NumericDate
        public let contextClass: AuthenticationContextClass
        public let methods: [AuthenticationMethod]
        /// The key that must sign the DPoP proof sent with the token.
        public let confirmation: AccessTokenClaims.Confirmation

        /// Creates the details of an access token.
        public init(_ claims: AccessTokenClaims) {
            tokenType = .dpop
            issuer = claims.issuer
            subject = claims.subject
            clientID = claims.clientID
            device = claims.device
            session = claims.session
            audience = claims.audience
            id = claims.id
            issuedAt = claims.issuedAt
            expiresAt = claims.expiresAt
            authenticatedAt = claims.authenticatedAt
            contextClass = claims.contextClass
            methods = claims.methods
            confirmation = claims.confirmation
        }

        /// Creates the details of a refresh token.
        public init(
            issuer: Issuer,
            subject: UserID,
            clientID: ClientID,
            device: DeviceID,
            session: SessionID,
            expiresAt: NumericDate,
            authentication: Authentication,
            possessionKey: KeyID
        ) {
            tokenType = nil
            self.issuer = issuer
            self.subject = subject
            self.clientID = clientID
            self.device = device
            self.session = session
            audience = nil
            id = nil
            issuedAt = nil
            self.expiresAt = expiresAt
            authenticatedAt = authentication.time
            contextClass = .phishingResistant
            methods = authentication.methods
            confirmation = AccessTokenClaims.Confirmation(possessionKey: possessionKey)
        }

        private enum CodingKeys: String, CodingKey {
            case tokenType = "token_type"
            case issuer = "iss"
            case subject = "sub"
            case clientID = "client_id"
            case device = "device_id"
            case session = "sid"
            case audience = "aud"
            case id = "jti"
            case issuedAt = "iat"
            case expiresAt = "exp"
            case authenticatedAt = "auth_time"
            case contextClass = "acr"
            case methods = "amr"
            case confirmation = "cnf"
        }
    }

    /// Creates an answer. With nil, the token is not active.
    public init(_ details: Details?) {
        isActive = details != nil
        self.details = details
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        isActive = try container.decode(Bool.self, forKey: .isActive)
        details = isActive ? try Details(from: decoder) : nil
    }

    public func encode(to encoder: any Encoder) throws {
        try details?.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(isActive, forKey: .isActive)
    }

    private enum CodingKeys: String, CodingKey { case isActive = "active" }
}
