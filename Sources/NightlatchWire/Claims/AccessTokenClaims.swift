/// The claims of an access token: the relying party's statements about its holder
/// ([RFC 9068, section 2.2](https://www.rfc-editor.org/rfc/rfc9068#section-2.2)).
public struct AccessTokenClaims: MessageClaims, Hashable {
    public static let messageType = MessageType.accessToken

    /// The relying party.
    public let issuer: Issuer
    public let subject: UserID
    /// The party that may accept the token: the relying party itself.
    public let audience: Issuer
    public let clientID: ClientID
    public let id: MessageID
    public let issuedAt: NumericDate
    public let expiresAt: NumericDate
    /// The device that logged in.
    public let device: DeviceID
    /// The login from which the token was issued.
    public let session: SessionID
    /// The time of the login.
    public let authenticatedAt: NumericDate
    /// The security level of the login, `acr`.
    public let contextClass: AuthenticationContextClass
    /// The authentication methods of the login, `amr`.
    public let methods: [AuthenticationMethod]
    public let confirmation: Confirmation

    /// The key that must sign the DPoP proof sent with the token
    /// ([RFC 9449, section 6.1](https://www.rfc-editor.org/rfc/rfc9449#section-6.1)).
    public struct Confirmation: Codable, Hashable, Sendable {
        public let possessionKey: KeyID

        init(possessionKey: KeyID) {
            self.possessionKey = possessionKey
        }

        public init(from decoder: any Decoder) throws {
            possessionKey = try JSONObjectReader(decoder).value("jkt")
        }

        public func encode(to encoder: any Encoder) throws {
            var members = JSONObjectWriter(encoder)
            try members.add("jkt", possessionKey)
        }
    }

    public init(
        issuer: Issuer,
        subject: UserID,
        audience: Issuer,
        clientID: ClientID,
        id: MessageID = .random(),
        issuedAt: NumericDate,
        expiresAt: NumericDate,
        device: DeviceID,
        session: SessionID,
        authentication: Authentication,
        possessionKey: KeyID
    ) {
        self.issuer = issuer
        self.subject = subject
        self.audience = audience
        self.clientID = clientID
        self.id = id
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.device = device
        self.session = session
        authenticatedAt = authentication.time
        contextClass = .phishingResistant
        methods = authentication.methods
        confirmation = Confirmation(possessionKey: possessionKey)
    }

    public init(from decoder: any Decoder) throws {
        let members = try JSONObjectReader(decoder)
        issuer = try members.value("iss")
        subject = try members.value("sub")
        audience = try members.value("aud")
        clientID = try members.value("client_id")
        id = try members.value("jti")
        issuedAt = try members.value("iat")
        expiresAt = try members.value("exp")
        device = try members.value("device_id")
        session = try members.value("sid")
        authenticatedAt = try members.value("auth_time")
        contextClass = try members.value("acr")
        methods = try members.value("amr")
        confirmation = try members.value("cnf")
    }

    public func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("acr", contextClass)
        try members.add("amr", methods)
        try members.add("aud", audience)
        try members.add("auth_time", authenticatedAt)
        try members.add("client_id", clientID)
        try members.add("cnf", confirmation)
        try members.add("device_id", device)
        try members.add("exp", expiresAt)
        try members.add("iat", issuedAt)
        try members.add("iss", issuer)
        try members.add("jti", id)
        try members.add("sid", session)
        try members.add("sub", subject)
    }
}
