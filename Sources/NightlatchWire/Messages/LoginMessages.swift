/// A device's request for a challenge to log its user in.
///
/// The relying party answers the same way whether or not the user and the device exist.
public struct LoginRequest: Codable, Hashable, Sendable {
    public let user: UserID
    /// The device's id, or nil if the device does not know it. With nil, the device that signs the answer is logged in.
    public let device: DeviceID?

    public init(user: UserID, device: DeviceID?) {
        self.user = user
        self.device = device
    }

    /// Refuses `null` for the device. A client without a device id leaves the member out.
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

/// The challenge that the device signs in ``LoginClaims``.
public struct LoginChallenge: Codable, Hashable, Sendable {
    public let challenge: Challenge
    public let handle: ChallengeHandle
    /// The time of the relying party's clock. The device dates its answer by it, so a device with a wrong clock can log
    /// in.
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
