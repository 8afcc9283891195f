public import NightlatchWire

/// A verified login, ready to be recorded.
public struct NewLogin: Hashable, Sendable {
    public let device: DeviceID
    public let user: UserID
    /// The possession key for which the device key vouched: proofs by it must come with the tokens.
    public let possessionKey: KeyID
    /// When the login was, and what it showed.
    public let authentication: Authentication
    /// A new family of refresh tokens, named after the device. It takes the place of the one that the device has.
    public let refreshFamily: RefreshFamilyID
    /// The family's first token.
    public let refreshToken: RefreshTokenHash
    /// How long a refresh token lives unused.
    public let refreshLife: Duration
    /// How many guesses a window has, if the login says that the vault was opened by a two-party PIN: then the device must have one. Nil if it
    /// says something else.
    public let pinGuessLimit: Int?

    /// - Precondition: `refreshFamily` is named after `device`. Under another name a store would not find it again.
    public init(
        device: DeviceID,
        user: UserID,
        possessionKey: KeyID,
        authentication: Authentication,
        refreshFamily: RefreshFamilyID,
        refreshToken: RefreshTokenHash,
        refreshLife: Duration,
        pinGuessLimit: Int? = nil
    ) {
        precondition(refreshFamily.isNamed(after: device), "a family of another device")
        self.device = device
        self.user = user
        self.possessionKey = possessionKey
        self.authentication = authentication
        self.refreshFamily = refreshFamily
        self.refreshToken = refreshToken
        self.refreshLife = refreshLife
        self.pinGuessLimit = pinGuessLimit
    }
}

/// What became of a login. Only ``loggedIn`` wrote anything.
public enum LoginOutcome: Hashable, Sendable {
    case loggedIn
    /// The challenge is past its life by the store's clock.
    case challengeExpired
    /// The challenge has served, be it for the very same message.
    case challengeUsed
    case deviceBarred(DeviceBar)
    /// The user has no such device.
    case noSuchDevice
    /// The vault was opened by a two-party PIN, and the device has none.
    case pinNotEnrolled
}
