/// A user's decision on a login elsewhere that the app showed, signed by a bound device key.
public struct RemoteLoginClaims: MessageClaims, Hashable {
    public static let messageType = MessageType.remoteLogin

    /// The app.
    public let issuer: ClientID
    /// The user who decides.
    public let subject: UserID
    /// The relying party, as the only audience.
    public let audience: Issuer
    public let id: MessageID
    public let issuedAt: NumericDate
    public let expiresAt: NumericDate
    /// The challenge from the begin step of the decision.
    public let challenge: Challenge
    public let login: RemoteLoginID
    public let decision: TransactionDecision
    /// The hash of the details that the app showed.
    public let detailsHash: RemoteLoginDetailsHash
    /// The number that the user entered. Present exactly if the user confirms a login with a number.
    public let number: RemoteLoginNumber?

    public init(
        issuer: ClientID,
        subject: UserID,
        audience: Issuer,
        id: MessageID = .random(),
        issuedAt: NumericDate,
        expiresAt: NumericDate,
        challenge: Challenge,
        login: RemoteLoginID,
        decision: TransactionDecision,
        detailsHash: RemoteLoginDetailsHash,
        number: RemoteLoginNumber?
    ) {
        self.issuer = issuer
        self.subject = subject
        self.audience = audience
        self.id = id
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.challenge = challenge
        self.login = login
        self.decision = decision
        self.detailsHash = detailsHash
        self.number = number
    }

    private enum CodingKeys: String, CodingKey {
        case issuer = "iss"
        case subject = "sub"
        case audience = "aud"
        case id = "jti"
        case issuedAt = "iat"
        case expiresAt = "exp"
        case challenge
        case login = "login_id"
        case decision
        case detailsHash = "details_hash"
        case number
    }
}
