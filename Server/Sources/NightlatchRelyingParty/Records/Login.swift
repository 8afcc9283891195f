public import NightlatchWire

/// A verified login, ready to be recorded.
public struct NewLogin: Hashable, Sendable {
    public let device: DeviceID
    public let user: UserID
    /// The possession key that the device key confirmed. It must sign the DPoP proofs that come with the tokens.
    public let possessionKey: KeyID
    /// The time of the login, and how the user was verified.
    public let authentication: Authentication
    /// A new family of refresh tokens, with an id derived from the device's. It replaces the device's current family.
    public let refreshFamily: RefreshFamilyID
    /// The family's first token.
    public let refreshToken: RefreshTokenHash
    /// The lifetime of an unused refresh token.
    public let refreshLife: Duration
    /// The largest number of guesses in a window, if the login states that a two-party PIN opened the vault; otherwise
    /// nil.
    ///
    /// If it is not nil, the device must have a two-party PIN.
    public let pinGuessLimit: Int?

    /// - Precondition: The id of `refreshFamily` is derived from `device`; otherwise a store could not find the family.
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
        precondition(refreshFamily.isNamed(after: device), "the family must be of this device")
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

/// The outcome of a login. Only ``loggedIn`` means that the store wrote something.
public enum LoginOutcome: Hashable, Sendable {
    case loggedIn
    /// The challenge has expired by the store's clock.
    case challengeExpired
    /// The challenge was used before, by this or another message.
    case challengeUsed
    case deviceStopped(DeviceStop)
    /// The user has no such device.
    case noSuchDevice
    /// The login states that a two-party PIN opened the vault, and the device has none.
    case pinNotEnrolled
}
