public import NightlatchWire

/// A refresh token is presented, with a new one to take its place.
public struct RefreshRotation: Hashable, Sendable {
    public let presented: RefreshTokenHash
    public let successor: RefreshTokenHash
    /// The key whose DPoP proof came with the request.
    public let possessionKey: KeyID
    /// How long the successor lives unused.
    public let refreshLife: Duration

    public init(
        presented: RefreshTokenHash,
        successor: RefreshTokenHash,
        possessionKey: KeyID,
        refreshLife: Duration
    ) {
        self.presented = presented
        self.successor = successor
        self.possessionKey = possessionKey
        self.refreshLife = refreshLife
    }
}

/// What became of a presented refresh token.
public enum RotationOutcome: Hashable, Sendable {
    /// The successor is good, and no other token of the family save the presented one until the successor is used.
    case rotated(device: DeviceID, user: UserID, client: ClientID)
    /// Unknown, expired, or with a proof by another key. Nothing changed.
    case refused
    /// A token that had been replaced for good came back: someone has a copy. The family was revoked.
    case reused
}
