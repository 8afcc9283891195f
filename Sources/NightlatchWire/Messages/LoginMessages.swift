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

    /// A device that is not known is left out: `null` is none.
    public init(from decoder: any Decoder) throws {
        let members = try JSONObjectReader(decoder)
        user = try members.value("user")
        device = members.contains("device") ? try members.value("device", as: DeviceID.self) : nil
    }

    public func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.addIfPresent("device", device)
        try members.add("user", user)
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

    public init(from decoder: any Decoder) throws {
        let members = try JSONObjectReader(decoder)
        challenge = try members.value("challenge")
        handle = try members.value("handle")
        issuedAt = try members.value("issued_at")
        expiresAt = try members.value("expires_at")
    }

    public func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("challenge", challenge)
        try members.add("expires_at", expiresAt)
        try members.add("handle", handle)
        try members.add("issued_at", issuedAt)
    }
}
