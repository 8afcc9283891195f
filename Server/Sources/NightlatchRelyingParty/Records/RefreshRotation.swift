public import NightlatchWire

/// A presented refresh token, and the new token that replaces it.
public struct RefreshRotation: Hashable, Sendable {
    /// The family of both tokens.
    public let family: RefreshFamilyID
    public let presented: RefreshTokenHash
    public let successor: RefreshTokenHash
    /// The key that signed the DPoP proof of the request.
    public let possessionKey: KeyID
    /// The apps that may still use the relying party.
    public let clients: Set<ClientID>
    /// The lifetime of the unused successor.
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

/// The outcome of presenting a refresh token.
public enum RotationOutcome: Hashable, Sendable {
    /// The successor is valid. Until it is used, the presented token is the family's only other valid token.
    case rotated(device: DeviceID, user: UserID, client: ClientID, authentication: Authentication)
    /// The token is unknown or expired, its app is no longer permitted, or the proof was signed by another key.
    ///
    /// Nothing changed.
    case refused
    /// A token that had been replaced for good was presented again: an attacker may have a copy. The family was
    /// revoked.
    case reused
}
