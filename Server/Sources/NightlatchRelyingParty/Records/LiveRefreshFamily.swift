public import NightlatchWire

/// A family of refresh tokens that lives: a login that holds.
public struct LiveRefreshFamily: Hashable, Sendable {
    /// The device that logged in. Nothing bars it.
    public let device: RegisteredDevice
    /// The key that proofs beside the family's tokens must be by.
    public let possessionKey: KeyID
    public let authentication: Authentication
    /// The tokens that can be presented: the one that was issued last, and the one that this was issued for, if any.
    public let usableTokens: Set<RefreshTokenHash>
    public let expiresAt: NumericDate

    public init(
        device: RegisteredDevice,
        possessionKey: KeyID,
        authentication: Authentication,
        usableTokens: Set<RefreshTokenHash>,
        expiresAt: NumericDate
    ) {
        self.device = device
        self.possessionKey = possessionKey
        self.authentication = authentication
        self.usableTokens = usableTokens
        self.expiresAt = expiresAt
    }
}

/// What became of the revocation of a family.
public enum FamilyRevocationOutcome: Hashable, Sendable {
    /// It is not there any more, or never was.
    case gone
    /// It is another key's. Nothing changed.
    case otherKey
}
