/// A request for tokens.
///
/// It is sent as a form ([RFC 6749, appendix B](https://www.rfc-editor.org/rfc/rfc6749#appendix-B)). A header contains
/// a DPoP proof by the possession key.
///
/// `policy` is the revision of the policy that the device has. Nil from a device that accepts no policies.
public enum TokenRequest: Hashable, Sendable {
    /// The answer to a ``LoginChallenge`` ([RFC 7523](https://www.rfc-editor.org/rfc/rfc7523)): a compact JWS with
    /// ``LoginClaims``.
    case login(assertion: String, handle: ChallengeHandle, policy: PolicyRevision? = nil)
    /// [RFC 6749, section 6](https://www.rfc-editor.org/rfc/rfc6749#section-6).
    case refresh(RefreshToken, policy: PolicyRevision? = nil)

    /// The grant type of ``login(assertion:handle:policy:)``
    /// ([RFC 7523, section 2.1](https://www.rfc-editor.org/rfc/rfc7523#section-2.1)).
    public static let loginGrantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    /// The grant type of ``refresh(_:policy:)``.
    private static let refreshGrantType = "refresh_token"

    /// The form's fields.
    public var fields: [String: String] {
        var fields: [String: String]
        let revision: PolicyRevision?
        switch self {
        case .login(let assertion, let handle, let policy):
            fields = [
                Field.grantType: Self.loginGrantType, Field.assertion: assertion,
                Field.challengeHandle: handle.rawValue,
            ]
            revision = policy
        case .refresh(let token, let policy):
            fields = [Field.grantType: Self.refreshGrantType, Field.refreshToken: token.rawValue]
            revision = policy
        }
        if let revision { fields[Field.policyRevision] = String(revision.rawValue) }
        return fields
    }

    /// Reads a form's fields. Fields that are not of the grant are ignored, as the standard demands.
    ///
    /// - Throws: ``OAuthError`` with `unsupported_grant_type` or `invalid_request`.
    public init(fields: [String: String]) throws(OAuthError) {
        switch fields[Field.grantType] {
        case Self.loginGrantType:
            guard let assertion = fields[Field.assertion],
                let handle = fields[Field.challengeHandle].flatMap(ChallengeHandle.init)
            else { throw Self.malformed("The grant needs an assertion and a challenge handle.") }
            self = .login(assertion: assertion, handle: handle, policy: try Self.policyRevision(in: fields))
        case Self.refreshGrantType:
            guard let token = fields[Field.refreshToken].flatMap(RefreshToken.init) else {
                throw Self.malformed("The grant needs a refresh token.")
            }
            self = .refresh(token, policy: try Self.policyRevision(in: fields))
        case nil:
            throw Self.malformed("The form has no grant type.")
        default:
            throw OAuthError(
                .unsupportedGrantType, code: .malformedRequest, description: "This grant type is not supported.")
        }
    }

    private static func policyRevision(in fields: [String: String]) throws(OAuthError) -> PolicyRevision? {
        guard let text = fields[Field.policyRevision] else { return nil }
        guard let number = Int(text), String(number) == text, let revision = PolicyRevision(rawValue: number) else {
            throw malformed("The policy revision must be a whole number.")
        }
        return revision
    }

    private static func malformed(_ description: String) -> OAuthError {
        OAuthError(.invalidRequest, code: .malformedRequest, description: description)
    }

    private enum Field {
        static let grantType = "grant_type"
        static let assertion = "assertion"
        static let challengeHandle = "challenge_handle"
        static let policyRevision = "policy_revision"
        static let refreshToken = "refresh_token"
    }
}

/// The tokens ([RFC 6749, section 5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1)). They are bound to the
/// possession key that signed the request's DPoP proof.
public struct TokenGrant: Codable, Hashable, Sendable {
    public let accessToken: AccessToken
    public let tokenType: TokenType
    /// The lifetime of the access token, in seconds.
    public let expiresInSeconds: Int
    public let refreshToken: RefreshToken
    /// A compact JWS with ``PolicyClaims``. Nil if the device has the newest policy, or if no policy was ever set.
    public var policy: String?

    public enum TokenType: String, Codable, Sendable {
        case dpop = "DPoP"
    }

    public init(
        accessToken: AccessToken, expiresInSeconds: Int, refreshToken: RefreshToken, policy: String? = nil
    ) {
        self.accessToken = accessToken
        tokenType = .dpop
        self.expiresInSeconds = expiresInSeconds
        self.refreshToken = refreshToken
        self.policy = policy
    }

    public init(from decoder: any Decoder) throws {
        let members = try JSONObjectReader(decoder)
        accessToken = try members.value("access_token")
        tokenType = try members.value("token_type")
        expiresInSeconds = try members.value("expires_in")
        refreshToken = try members.value("refresh_token")
        policy = try members.optionalValue("policy")
    }

    public func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("access_token", accessToken)
        try members.add("expires_in", expiresInSeconds)
        if let policy { try members.add("policy", policy) }
        try members.add("refresh_token", refreshToken)
        try members.add("token_type", tokenType)
    }
}
