/// A device's request to be bound. The enrolment code identifies the user.
public struct BindingRequest: Codable, Hashable, Sendable {
    public let enrolmentCode: EnrolmentCode
    /// The device key that will sign.
    ///
    /// If this key has already used the code, the request leads to the same binding again. So a device that lost an
    /// answer can repeat the ceremony.
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

/// The challenge that the device signs in ``BindingClaims``.
public struct BindingChallenge: Codable, Hashable, Sendable {
    /// The user of the enrolment code.
    public let user: UserID
    public let challenge: Challenge
    public let handle: ChallengeHandle
    /// The time of the relying party's clock. The device dates its answer by it, so a device with a wrong clock can be
    /// bound.
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
    /// A compact JWS with ``BindingClaims``. Its header contains the device key.
    public let message: String
    /// The revision of the policy that the device has; nil from a device that knows no policies, which gets none.
    public let policyRevision: PolicyRevision?

    public init(handle: ChallengeHandle, message: String, policyRevision: PolicyRevision? = nil) {
        self.handle = handle
        self.message = message
        self.policyRevision = policyRevision
    }

    private enum CodingKeys: String, CodingKey {
        case handle, message
        case policyRevision = "policy_revision"
    }
}

/// The result of a binding: the device is bound.
public struct BindingResult: Codable, Hashable, Sendable {
    public let user: UserID
    public let device: DeviceID
    /// The key with which the relying party signs policies (``PolicyClaims``) and its answers about two-party PINs
    /// (``PinAnswerClaims``). The device pins it.
    ///
    /// Nil from a relying party that signs neither.
    public let answerKey: PublicJWK?
    /// A compact JWS with ``PolicyClaims``, signed with ``answerKey``. Nil if the device has the newest policy, or if
    /// no policy was ever set.
    public let policy: String?

    public init(user: UserID, device: DeviceID, answerKey: PublicJWK? = nil, policy: String? = nil) {
        self.user = user
        self.device = device
        self.answerKey = answerKey
        self.policy = policy
    }

    private enum CodingKeys: String, CodingKey {
        case user, device, policy
        case answerKey = "answer_key"
    }
}
