public import NightlatchWire

/// A refresh token is presented, with a new one to take its place.
public struct RefreshRotation: Hashable, Sendable {
    /// The family that both are of.
    public let family: RefreshFamilyID
    public let presented: RefreshTokenHash
    public let successor: RefreshTokenHash
    /// The key whose DPoP proof came with the request.
    public let possessionKey: KeyID
    /// The apps that may still speak to the relying party.
    public let clients: Set<ClientID>
    /// How long the successor lives unused.
    public let refreshLife: Duration

    public init(
        family: RefreshFamilyID,
        presented: RefreshTokenHash,
        successor: RefreshTokenHash,
        possessionKey: KeyID,
        clients: Set<ClientID>,
        refreshLife: Duration
    ) {
        self.family = family
        self.presented = presented
        self.successor = successor
        self.possessionKey = possessionKey
        self.clients = clients
        self.refreshLife = refreshLife
    }
}

/// What became of a presented refresh token.
public enum RotationOutcome: Hashable, Sendable {
    /// The successor is good, and no other token of the family save the presented one until the successor is used.
    case rotated(device: DeviceID, user: UserID, client: ClientID, authentication: Authentication)
    /// Unknown, expired, of an app that may speak no more, or with a proof by another key. Nothing changed.
    case refused
    /// A token that had been replaced for good came back: someone has a copy. The family was revoked.
    case reused
}
