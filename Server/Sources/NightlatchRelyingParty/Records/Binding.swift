public import NightlatchWire

/// A verified binding, ready to be recorded.
public struct NewBinding: Hashable, Sendable {
    /// The enrolment code that permits the binding.
    public let enrolmentCode: EnrolmentCodeMAC
    public let user: UserID
    public let client: ClientID
    public let key: PublicJWK
    /// The algorithm of the binding's signature, and of all later signatures by the key.
    public let algorithm: SignatureAlgorithm
    public let possessionKey: KeyID
    public let name: DeviceName
    /// The largest number of unrevoked devices of the user, including this one, if the policy is `many`.
    public let activeDeviceLimit: Int
    /// Whether this device replaces the user's other devices.
    public let policy: DevicePolicy

    public init(
        enrolmentCode: EnrolmentCodeMAC,
        user: UserID,
        client: ClientID,
        key: PublicJWK,
        algorithm: SignatureAlgorithm,
        possessionKey: KeyID,
        name: DeviceName,
        activeDeviceLimit: Int,
        policy: DevicePolicy = .many
    ) {
        self.enrolmentCode = enrolmentCode
        self.user = user
        self.client = client
        self.key = key
        self.algorithm = algorithm
        self.possessionKey = possessionKey
        self.name = name
        self.activeDeviceLimit = activeDeviceLimit
        self.policy = policy
    }
}

extension NewBinding {
    /// Whether a user with `count` unrevoked devices may have one more.
    package func allowsOneMore(than count: Int) -> Bool { policy == .one || count < activeDeviceLimit }
}

/// The outcome of a binding. Only ``bound(_:)`` means that the store wrote something.
public enum BindingOutcome: Hashable, Sendable {
    /// The key is bound, by this or an earlier request with the same key.
    case bound(DeviceID)
    /// The code is unknown, expired or was used by another key.
    case codeRefused
    /// The challenge has expired by the store's clock.
    case challengeExpired
    /// Another message has used the challenge.
    case challengeUsed
    /// The key is already bound to another user or by another app. A key can be bound only once.
    case keyTaken
    /// The user has as many devices as permitted. The code remains valid.
    case tooManyDevices
    /// The key was bound before, and its device is blocked or revoked. A revoked device must make a new key.
    case deviceBarred(DeviceBar)
}
