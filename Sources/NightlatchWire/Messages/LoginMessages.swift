/// A device asks for a challenge to log its user in with. The answer is the same whether or not there are such a user and
/// such a device.
public struct LoginRequest: Codable, Hashable, Sendable {
    public let user: UserID
    /// Nil if the device does not know its id: then whichever of the user's devices signs the answer is logged in.
    public let device: DeviceID?

    public init(user: UserID, device: DeviceID?) {
        self.user = user
        self.device = device
    }

    private enum CodingKeys: CodingKey { case user, device }

    /// A device that is not known is left out: `null` is none.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        user = try container.decode(UserID.self, forKey: .user)
        device = container.contains(.device) ? try container.decode(DeviceID.self, forKey: .device) : nil
    }
}

/// What the device is to sign in ``LoginClaims``.
public struct LoginChallenge: Codable, Hashable, Sendable {
    public let challenge: Challenge
    public let handle: ChallengeHandle
    /// The relying party's clock. The device dates its answer by it, so that a device whose own clock is wrong can log in.
    public let issuedAt: NumericDate
    public let expiresAt: NumericDate

    public init(challenge: Challenge, handle: ChallengeHandle, issuedAt: NumericDate, expiresAt: NumericDate) {
        self.challenge = challenge
        self.handle = handle
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }

    private enum CodingKeys: String, CodingKey {
        case challenge, handle
        case issuedAt = "issued_at"
        case expiresAt = "expires_at"
    }
}
