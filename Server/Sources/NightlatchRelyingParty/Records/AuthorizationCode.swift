public import NightlatchWire

/// SHA-256 of an authorization code. A code has 256 random bits, so its hash can be stored and does not reveal it.
public typealias AuthorizationCodeHash = StoredHash<AuthorizationCodeSubject>

/// The subject of the hash of an authorization code.
public enum AuthorizationCodeSubject: StoredHashSubject {}

/// An authorization code, as stored. An app exchanges it once for tokens
/// ([RFC 6749, section 4.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1)).
public struct AuthorizationCode: Codable, Hashable, Sendable {
    /// The lifetime of a code.
    public static let life: Duration = .seconds(60)

    public let authorization: AppAuthorization
    /// The address that received the code.
    public let redirectURI: RedirectURI
    /// The hash of the verifier that the app must present; nil if its request had none.
    public let challenge: CodeChallenge?
    /// The value that the ID token must repeat
    /// ([OpenID Connect Core, section 3.1.2.1](https://openid.net/specs/openid-connect-core-1_0.html#AuthRequest)).
    public let nonce: String?

    public init(
        authorization: AppAuthorization, redirectURI: RedirectURI, challenge: CodeChallenge?, nonce: String?
    ) {
        self.authorization = authorization
        self.redirectURI = redirectURI
        self.challenge = challenge
        self.nonce = nonce
    }

    public init(from decoder: any Decoder) throws {
        let members = try JSONObjectReader(decoder)
        authorization = try members.value("authorization")
        challenge = try members.optionalValue("challenge")
        nonce = try members.optionalValue("nonce")
        redirectURI = try members.value("redirect_uri")
    }

    public func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("authorization", authorization)
        try members.addIfPresent("challenge", challenge)
        if let nonce { try members.add("nonce", nonce) }
        try members.add("redirect_uri", redirectURI)
    }

    /// Whether `sender` may exchange this code.
    ///
    /// A verifier is refused if the authorization request had no challenge: an attacker may have removed it
    /// ([RFC 9700, section 4.8.2](https://www.rfc-editor.org/rfc/rfc9700#section-4.8.2)).
    private func permits(_ sender: CodeRedemption.Sender) -> Bool {
        authorization.client == sender.client && redirectURI == sender.redirectURI && challenge == sender.challenge
            && (authorization.possessionKey == nil || authorization.possessionKey == sender.possessionKey)
    }

    /// Decides on an exchange. Every store applies this rule in its transaction.
    ///
    /// - Parameters:
    ///   - redemption: The exchange.
    ///   - use: The end of the code's life, and the grant that it was exchanged for; nil if it was not exchanged.
    ///   - mayGrant: Whether the session of the code is live and its app is registered.
    ///   - now: The time.
    package func redeem(
        _ redemption: CodeRedemption,
        use: (expiresAt: NumericDate, grant: GrantID?),
        mayGrant: Bool,
        at now: NumericDate
    ) -> CodeRedemptionOutcome {
        // A second use shows that two parties have the code, whatever else they know.
        if let grant = use.grant { return .reused(grant) }
        guard now <= use.expiresAt, mayGrant, permits(redemption.sender) else { return .refused }
        var authorization = authorization
        authorization.possessionKey = redemption.sender.possessionKey
        let grant = AppGrant(
            id: redemption.grant, authorization: authorization, generation: redemption.hasRefreshToken ? 1 : 0,
            rotatedAt: now, expiresAt: now + redemption.life)
        return .granted(grant, nonce: nonce)
    }
}

/// A request to exchange an authorization code.
public struct CodeRedemption: Hashable, Sendable {
    public let code: AuthorizationCodeHash
    public let sender: Sender
    /// The id of the new grant.
    public let grant: GrantID
    /// Whether the app gets a refresh token.
    public let hasRefreshToken: Bool
    /// The lifetime of the unused grant.
    public let life: Duration

    /// The proofs of the sender.
    public struct Sender: Hashable, Sendable {
        /// The app, authenticated by its method.
        public let client: ClientID
        public let redirectURI: RedirectURI
        /// The hash of the presented verifier; nil if there was none.
        public let challenge: CodeChallenge?
        /// The key that signed the DPoP proof of the request; nil for bearer tokens.
        public let possessionKey: KeyID?

        public init(
            client: ClientID, redirectURI: RedirectURI, challenge: CodeChallenge?, possessionKey: KeyID? = nil
        ) {
            self.client = client
            self.redirectURI = redirectURI
            self.challenge = challenge
            self.possessionKey = possessionKey
        }
    }

    public init(
        code: AuthorizationCodeHash, by sender: Sender, grant: GrantID, hasRefreshToken: Bool, life: Duration
    ) {
        self.code = code
        self.sender = sender
        self.grant = grant
        self.hasRefreshToken = hasRefreshToken
        self.life = life
    }
}

/// The outcome of an exchange.
public enum CodeRedemptionOutcome: Hashable, Sendable {
    /// The grant was recorded, and the code is used.
    case granted(AppGrant, nonce: String?)
    /// The code is unknown or expired, its session has ended, or it belongs to another request. Nothing changed.
    case refused
    /// The code had been exchanged before: an attacker may have a copy. The grant was revoked.
    case reused(GrantID)
}
