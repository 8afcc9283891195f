package import NightlatchWire

/// The refresh tokens that came of one login, as a store has them.
package struct RefreshFamily: Sendable {
    package let device: DeviceID
    package let user: UserID
    /// The app that bound the device.
    package let client: ClientID
    /// The key that proofs beside the tokens must be by.
    package let possessionKey: KeyID
    package let authentication: Authentication
    /// The token that was issued last. Nobody has used it.
    package private(set) var current: RefreshTokenHash
    /// The token that `current` was issued for. It is good until `current` is used.
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

    /// The tokens that can be presented.
    package var usableTokens: Set<RefreshTokenHash> { Set([current, previous].compactMap(\.self)) }

    /// Puts the successor in the place of the presented token, if it can be presented. It is the one rule that every store asks in its
    /// transaction: what it says of `reused` and `rotated` the store writes down, and of `refused` nothing.
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
