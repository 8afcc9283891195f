package import NightlatchWire

/// The refresh tokens of one login, as stored.
package struct RefreshFamily: Sendable {
    package let device: DeviceID
    package let user: UserID
    /// The app that bound the device.
    package let client: ClientID
    /// The key that must sign the DPoP proofs that come with the tokens.
    package let possessionKey: KeyID
    package let authentication: Authentication
    /// The token that was issued last, and has not been used.
    package private(set) var current: RefreshTokenHash
    /// The predecessor of `current`. It is accepted until `current` is used.
    package private(set) var previous: RefreshTokenHash?
    package private(set) var expiresAt: NumericDate

    package init(
        device: DeviceID,
        user: UserID,
        client: ClientID,
        possessionKey: KeyID,
        authentication: Authentication,
        current: RefreshTokenHash,
        previous: RefreshTokenHash?,
        expiresAt: NumericDate
    ) {
        self.device = device
        self.user = user
        self.client = client
        self.possessionKey = possessionKey
        self.authentication = authentication
        self.current = current
        self.previous = previous
        self.expiresAt = expiresAt
    }

    /// The tokens that are accepted.
    package var usableTokens: Set<RefreshTokenHash> { Set([current, previous].compactMap(\.self)) }

    /// Replaces the presented token with its successor, if the presented token is accepted.
    ///
    /// Every store applies this rule in its transaction. It writes the change for `rotated` and revokes the family for
    /// `reused`; for `refused` it writes nothing.
    package mutating func rotate(_ rotation: RefreshRotation, at now: NumericDate) -> RotationOutcome {
        guard now <= expiresAt, possessionKey == rotation.possessionKey, rotation.clients.contains(client)
        else { return .refused }
        guard usableTokens.contains(rotation.presented) else { return .reused }
        previous = rotation.presented
        current = rotation.successor
        expiresAt = now + rotation.refreshLife
        return .rotated(device: device, user: user, client: client, authentication: authentication)
    }
}
