/// A device asks for a challenge to log its user in with. The answer is the same whether or not there are such a user and
/// such a device.
public struct LoginRequest: Codable, Hashable, Sendable {
    public let user: UserID
    public let device: DeviceID

    public init(user: UserID, device: DeviceID) {
        self.user = user
        self.device = device
    }
}

/// What the device is to sign in ``LoginClaims``.
public struct LoginChallenge: Codable, Hashable, Sendable {
    public let challenge: Challenge
    public let handle: ChallengeHandle
    public let expiresAt: NumericDate

    public init(challenge: Challenge, handle: ChallengeHandle, expiresAt: NumericDate) {
        self.challenge = challenge
        self.handle = handle
        self.expiresAt = expiresAt
    }

    private enum CodingKeys: String, CodingKey {
        case challenge, handle
        case expiresAt = "expires_at"
    }
}
