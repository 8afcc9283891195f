public import NightlatchWire

/// A live family of refresh tokens, which represents a valid login.
public struct LiveRefreshFamily: Hashable, Sendable {
    /// The device that logged in. It is neither blocked nor revoked.
    public let device: DeviceRecord
    /// The key that must sign the DPoP proofs that come with the family's tokens.
    public let possessionKey: KeyID
    public let authentication: Authentication
    /// The tokens that are accepted: the token that was issued last, and its predecessor, if any.
    public let usableTokens: Set<RefreshTokenHash>
    public let expiresAt: NumericDate

    public init(
        device: DeviceRecord,
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

/// The outcome of revoking a family.
public enum FamilyRevocationOutcome: Hashable, Sendable {
    /// The family does not exist, or no longer exists.
    case gone
    /// The family is bound to another key. Nothing changed.
    case otherKey
}
