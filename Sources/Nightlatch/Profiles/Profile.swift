public import NightlatchWire

/// One user of this device, with a vault, a policy and authenticators of their own.
public struct Profile: Hashable, Sendable, Identifiable {
    public let id: ProfileID
    /// What the person is called on this device's screen.
    public let name: ProfileName
    /// Which PINs may be set from now on. The PIN that the profile has may be older than the policy.
    public let pinPolicy: PinPolicy
    /// How many digits the profile's PIN has; nil if it is not remembered.
    public let pinLength: Int?
    /// What the person wants to be asked for first.
    public let preferredAuthenticator: Authenticator

    public init(
        id: ProfileID,
        name: ProfileName,
        pinPolicy: PinPolicy = .default,
        pinLength: Int? = nil,
        preferredAuthenticator: Authenticator = .pin
    ) {
        self.id = id
        self.name = name
        self.pinPolicy = pinPolicy
        self.pinLength = pinLength
        self.preferredAuthenticator = preferredAuthenticator
    }
}

/// Names a profile on this device: 16 random bytes in base64url, 22 characters that are good for a file's name. No two
/// registrations have the same, so none finds what another may have left.
public typealias ProfileID = Identifier<ProfileIDRule>

public enum ProfileIDRule: BinaryIdentifierRule {
    public static let name = "profile id"
    public static let byteCount = 16
}

/// What a person is called: 1 to 64 characters, of the kind of a `DeviceName`.
public typealias ProfileName = Identifier<ProfileNameRule>

public enum ProfileNameRule: ShownTextRule {
    public static let name = "profile name"
    public static let characterCountLimit = 64
}
