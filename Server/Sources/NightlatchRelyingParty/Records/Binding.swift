public import NightlatchWire

/// A verified binding, ready to be recorded.
public struct NewBinding: Hashable, Sendable {
    /// The code that allows it.
    public let enrolmentCode: EnrolmentCodeMAC
    public let user: UserID
    public let client: ClientID
    public let key: PublicJWK
    /// What the binding is signed by, and all that the key signs from now on.
    public let algorithm: SignatureAlgorithm
    public let possessionKey: KeyID
    public let name: DeviceName
    /// How many devices that are not revoked the user may have, this one included, where the policy is many.
    public let activeDeviceLimit: Int
    /// What becomes of the user's other devices.
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
    /// Whether a user who has `count` devices that are not revoked may have one more.
    package func allowsOneMore(than count: Int) -> Bool { policy == .one || count < activeDeviceLimit }
}

/// What became of a binding. Only ``bound(_:)`` wrote anything.
public enum BindingOutcome: Hashable, Sendable {
    /// The key is bound, now or by an earlier request with the same key.
    case bound(DeviceID)
    /// The code is unknown, expired or was used by another key.
    case codeRefused
    /// The challenge is past its life by the store's clock.
    case challengeExpired
    /// Another message has used the challenge.
    case challengeUsed
    /// The key is bound already, to another user or by another app. A key is bound once.
    case keyTaken
    /// The user has as many devices as a user may have. The code is good still.
    case tooManyDevices
    /// The key was bound before, and its device is barred. One that is not merely blocked must make a new key.
    case deviceBarred(DeviceBar)
}
