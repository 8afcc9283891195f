public import NightlatchWire

/// A user of this device, with their own vault, policy and authenticators.
public struct Profile: Hashable, Sendable, Identifiable {
    public let id: ProfileID
    /// The user's name on this device's screen.
    public let name: ProfileName
    /// The rules for new PINs. The profile's current PIN may be older than the policy.
    public let pinPolicy: PinPolicy
    /// The number of digits of the profile's PIN; nil if it is not remembered.
    public let pinLength: Int?
    /// The authenticator that the user wants to be asked for first.
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

/// Identifies a profile on this device: 16 random bytes in base64url, 22 characters that are valid in a file name.
///
/// Every registration gets a new id, so a profile never finds data that another profile left.
public typealias ProfileID = Identifier<ProfileIDRule>

public enum ProfileIDRule: BinaryIdentifierRule {
    public static let name = "profile id"
    public static let byteCount = 16
}

/// The name of a profile's user: 1 to 64 characters, with the same rules as a `DeviceName`.
public typealias ProfileName = Identifier<ProfileNameRule>

public enum ProfileNameRule: ShownTextRule, LiteralIdentifierRule {
    public static let name = "profile name"
    public static let characterCountLimit = 64
}
