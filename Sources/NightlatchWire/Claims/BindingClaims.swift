/// The claims of a request to bind a device key to a user.
///
/// The header contains the key. The key signs the message, which proves that the sender has it.
public struct BindingClaims: MessageClaims, Hashable {
    public static let messageType = MessageType.binding

    /// The app.
    public let issuer: ClientID
    /// The user to bind the key to.
    public let subject: UserID
    /// The relying party, as the only audience.
    public let audience: Issuer
    public let id: MessageID
    public let issuedAt: NumericDate
    public let expiresAt: NumericDate
    /// The challenge from the begin step of the binding.
    public let challenge: Challenge
    /// The device's possession key. The device key's signature vouches for it
    /// ([RFC 9449, section 10](https://www.rfc-editor.org/rfc/rfc9449#section-10)).
    public let possessionKey: KeyID
    /// The user's name for the device.
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
