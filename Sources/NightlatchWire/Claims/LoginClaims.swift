/// The claims of a login, signed by a bound device key: the assertion of the JWT bearer grant
/// ([RFC 7523, section 3](https://www.rfc-editor.org/rfc/rfc7523#section-3)).
public struct LoginClaims: MessageClaims, Hashable {
    public static let messageType = MessageType.login

    /// The app.
    public let issuer: ClientID
    /// The user who logs in.
    public let subject: UserID
    /// The relying party, as the only audience.
    public let audience: Issuer
    public let id: MessageID
    public let issuedAt: NumericDate
    public let expiresAt: NumericDate
    /// The challenge from the begin step of the login.
    public let challenge: Challenge
    /// The device's possession key. The relying party binds the tokens to it
    /// ([RFC 9449, section 10](https://www.rfc-editor.org/rfc/rfc9449#section-10)).
    public let possessionKey: KeyID
    /// The method by which the user opened the vault. Nil if the client states none.
    public let userVerification: UserVerification?

    public init(
        issuer: ClientID,
        subject: UserID,
        audience: Issuer,
        id: MessageID = .random(),
        issuedAt: NumericDate,
        expiresAt: NumericDate,
        challenge: Challenge,
        possessionKey: KeyID,
        userVerification: UserVerification? = nil
    ) {
        self.issuer = issuer
        self.subject = subject
        self.audience = audience
        self.id = id
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.challenge = challenge
        self.possessionKey = possessionKey
        self.userVerification = userVerification
    }

    public init(from decoder: any Decoder) throws {
        let members = try JSONObjectReader(decoder)
        issuer = try members.value("iss")
        subject = try members.value("sub")
        audience = try members.value("aud")
        id = try members.value("jti")
        issuedAt = try members.value("iat")
        expiresAt = try members.value("exp")
        challenge = try members.value("challenge")
        possessionKey = try members.value("dpop_jkt")
        userVerification = try members.optionalValue("user_verification")
    }

    public func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("aud", audience)
        try members.add("challenge", challenge)
        try members.add("dpop_jkt", possessionKey)
        try members.add("exp", expiresAt)
        try members.add("iat", issuedAt)
        try members.add("iss", issuer)
        try members.add("jti", id)
        try members.add("sub", subject)
        try members.addIfPresent("user_verification", userVerification)
    }
}
