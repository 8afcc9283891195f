/// A device key asks to be bound to a user. The message's header carries the key, and the key signs, which proves that the
/// sender has it.
public struct BindingClaims: MessageClaims, Hashable {
    public static let messageType = MessageType.binding

    /// The app.
    public let issuer: ClientID
    /// The user to be bound to.
    public let subject: UserID
    /// The relying party, alone.
    public let audience: Issuer
    public let id: MessageID
    public let issuedAt: NumericDate
    public let expiresAt: NumericDate
    /// The relying party's challenge of this ceremony.
    public let challenge: Challenge
    /// The device's possession key, for which the device key vouches
    /// ([RFC 9449, section 10](https://www.rfc-editor.org/rfc/rfc9449#section-10)).
    public let possessionKey: KeyID
    /// What the person calls the device.
    public let deviceName: DeviceName

    public init(
        issuer: ClientID,
        subject: UserID,
        audience: Issuer,
        id: MessageID = .random(),
        issuedAt: NumericDate,
        expiresAt: NumericDate,
        challenge: Challenge,
        possessionKey: KeyID,
        deviceName: DeviceName
    ) {
        self.issuer = issuer
        self.subject = subject
        self.audience = audience
        self.id = id
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.challenge = challenge
        self.possessionKey = possessionKey
        self.deviceName = deviceName
    }

    private enum CodingKeys: String, CodingKey {
        case issuer = "iss"
        case subject = "sub"
        case audience = "aud"
        case id = "jti"
        case issuedAt = "iat"
        case expiresAt = "exp"
        case challenge
        case possessionKey = "dpop_jkt"
        case deviceName = "device_name"
    }
}
