/// A device asks to be bound, with the code that says to whom.
public struct BindingRequest: Codable, Hashable, Sendable {
    public let enrolmentCode: EnrolmentCode
    /// The device key that will sign. A code that this key has used already leads to the same binding again, so that a lost
    /// answer can be asked for once more.
    public let deviceKey: KeyID

    public init(enrolmentCode: EnrolmentCode, deviceKey: KeyID) {
        self.enrolmentCode = enrolmentCode
        self.deviceKey = deviceKey
    }

    private enum CodingKeys: String, CodingKey {
        case enrolmentCode = "enrolment_code"
        case deviceKey = "device_key"
    }
}

/// What the device is to sign in ``BindingClaims``.
public struct BindingChallenge: Codable, Hashable, Sendable {
    /// Whom the code belongs to.
    public let user: UserID
    public let challenge: Challenge
    public let handle: ChallengeHandle
    /// The relying party's clock. The device dates its answer by it, so that a device whose own clock is wrong can be bound.
    public let issuedAt: NumericDate
    public let expiresAt: NumericDate

    public init(
        user: UserID,
        challenge: Challenge,
        handle: ChallengeHandle,
        issuedAt: NumericDate,
        expiresAt: NumericDate
    ) {
        self.user = user
        self.challenge = challenge
        self.handle = handle
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }

    private enum CodingKeys: String, CodingKey {
        case user, challenge, handle
        case issuedAt = "issued_at"
        case expiresAt = "expires_at"
    }
}

/// The signed answer to a ``BindingChallenge``.
public struct BindingAnswer: Codable, Hashable, Sendable {
    public let handle: ChallengeHandle
    /// A compact JWS with ``BindingClaims``, whose header carries the device key.
    public let message: String

    public init(handle: ChallengeHandle, message: String) {
        self.handle = handle
        self.message = message
    }
}

/// The device is bound.
public struct BindingResult: Codable, Hashable, Sendable {
    public let user: UserID
    public let device: DeviceID
    /// What the relying party signs its answers about two-party PINs with (``PinAnswerClaims``): the device pins it. Nil of one that signs none.
    public let answerKey: PublicJWK?

    public init(user: UserID, device: DeviceID, answerKey: PublicJWK? = nil) {
        self.user = user
        self.device = device
        self.answerKey = answerKey
    }

    private enum CodingKeys: String, CodingKey {
        case user, device
        case answerKey = "answer_key"
    }
}
