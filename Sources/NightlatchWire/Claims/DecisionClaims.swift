/// A user's decision on a transaction that the app showed, signed by a bound device key.
public struct DecisionClaims: MessageClaims, Hashable {
    public static let messageType = MessageType.transaction

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
    public let transaction: TransactionID
    public let decision: TransactionDecision
    /// The hash of the details that the app showed.
    public let detailsHash: TransactionDetailsHash

    public init(
        issuer: ClientID,
        subject: UserID,
        audience: Issuer,
        id: MessageID = .random(),
        issuedAt: NumericDate,
        expiresAt: NumericDate,
        challenge: Challenge,
        transaction: TransactionID,
        decision: TransactionDecision,
        detailsHash: TransactionDetailsHash
    ) {
        self.issuer = issuer
        self.subject = subject
        self.audience = audience
        self.id = id
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.challenge = challenge
        self.transaction = transaction
        self.decision = decision
        self.detailsHash = detailsHash
    }

    private enum CodingKeys: String, CodingKey {
        case issuer = "iss"
        case subject = "sub"
        case audience = "aud"
        case id = "jti"
        case issuedAt = "iat"
        case expiresAt = "exp"
        case challenge
        case transaction = "transaction_id"
        case decision
        case detailsHash = "details_hash"
    }
}
