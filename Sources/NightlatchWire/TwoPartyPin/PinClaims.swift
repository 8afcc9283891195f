/// The claims that are specific to one kind of message about a two-party PIN.
public protocol PinStatement: Codable, Hashable, Sendable {
    static var messageType: MessageType { get }
}

/// A message about a two-party PIN: common claims and a ``PinStatement``. The header contains the signer's public key.
public struct PinClaims<Statement: PinStatement>: MessageClaims, Hashable {
    public static var messageType: MessageType { Statement.messageType }

    /// The app that bound the device.
    public let issuer: ClientID
    /// The device's user.
    public let subject: UserID
    /// The relying party, as the only audience.
    public let audience: Issuer
    public let device: DeviceID
    public let id: MessageID
    public let issuedAt: NumericDate
    /// The expiry, at most ``MessageLife/ofAssertions`` after ``issuedAt``.
    public let expiresAt: NumericDate
    public let statement: Statement

    public init(
        issuer: ClientID,
        subject: UserID,
        audience: Issuer,
        device: DeviceID,
        id: MessageID = .random(),
        issuedAt: NumericDate,
        expiresAt: NumericDate,
        _ statement: Statement
    ) {
        self.issuer = issuer
        self.subject = subject
        self.audience = audience
        self.device = device
        self.id = id
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.statement = statement
    }

    public init(from decoder: any Decoder) throws {
        let members = try JSONObjectReader(decoder)
        issuer = try members.value("iss")
        subject = try members.value("sub")
        audience = try members.value("aud")
        device = try members.value("device_id")
        id = try members.value("jti")
        issuedAt = try members.value("iat")
        expiresAt = try members.value("exp")
        statement = try Statement(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        try statement.encode(to: encoder)
        var members = JSONObjectWriter(encoder)
        try members.add("aud", audience)
        try members.add("device_id", device)
        try members.add("exp", expiresAt)
        try members.add("iat", issuedAt)
        try members.add("iss", issuer)
        try members.add("jti", id)
        try members.add("sub", subject)
    }
}
