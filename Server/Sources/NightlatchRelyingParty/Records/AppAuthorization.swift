public import NightlatchWire

/// The access of an app to a user's account, as a session of the user gave it.
///
/// An authorization code carries it, and then the grant that the code is exchanged for.
public struct AppAuthorization: Codable, Hashable, Sendable {
    public let client: ClientID
    public let user: UserID
    public let scopes: [AppScope]
    /// The session in which the user authenticated.
    public let session: JourneySessionHash
    /// The journey that began the session, `acr` in tokens.
    public let journey: String
    /// The key that signed last in the journey; nil if no key signed.
    public let key: JourneyKeyID?
    /// The time at which the session began, `auth_time` in tokens.
    public let authenticatedAt: NumericDate
    /// The key that must sign the DPoP proofs of the app's requests; nil for bearer tokens.
    public var possessionKey: KeyID?

    public init(
        client: ClientID, scopes: [AppScope], session: JourneySessionHash, of record: JourneySession,
        possessionKey: KeyID? = nil
    ) {
        self.client = client
        self.scopes = scopes
        self.session = session
        self.possessionKey = possessionKey
        user = record.user
        journey = record.journey
        key = record.key
        authenticatedAt = record.beganAt
    }

    /// Whether the grant stays when the user signs the session off
    /// ([OpenID Connect Core, section
    /// 11](https://openid.net/specs/openid-connect-core-1_0.html#OfflineAccess)).
    public var outlivesSession: Bool { scopes.contains(.offlineAccess) }

    public init(from decoder: any Decoder) throws {
        let members = try JSONObjectReader(decoder)
        client = try members.value("client")
        key = try members.optionalValue("key")
        journey = try members.value("journey")
        possessionKey = try members.optionalValue("possession_key")
        scopes = try members.value("scopes")
        session = JourneySessionHash(try members.value("session", as: Challenge.self).bytes)
        authenticatedAt = try members.value("time")
        user = try members.value("user")
    }

    public func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("client", client)
        try members.add("journey", journey)
        try members.addIfPresent("key", key)
        try members.addIfPresent("possession_key", possessionKey)
        try members.add("scopes", scopes)
        try members.add("session", Base64URL.encode(session.bytes))
        try members.add("time", authenticatedAt)
        try members.add("user", user)
    }
}

/// The id of a grant: 16 random bytes. Access tokens of the grant carry it as `grant_id`.
public typealias GrantID = Identifier<GrantIDRule>

public enum GrantIDRule: BinaryIdentifierRule {
    public static let name = "grant id"
    public static let byteCount = 16
}

/// The `code_challenge` of an authorization request: the SHA-256 hash of the verifier
/// ([RFC 7636, section 4.2](https://www.rfc-editor.org/rfc/rfc7636#section-4.2)).
public typealias CodeChallenge = Identifier<CodeChallengeRule>

public enum CodeChallengeRule: BinaryIdentifierRule {
    public static let name = "code challenge"
    public static let byteCount = 32
}
