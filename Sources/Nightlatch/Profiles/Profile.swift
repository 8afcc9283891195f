public import NightlatchWire

/// A user of this device, with their own vault, policy and authenticators.
public struct Profile: Hashable, Sendable, Identifiable {
    public let id: ProfileID
    /// The user's name on this device's screen.
    public let name: ProfileName
    /// The rules for new PINs: the app's, with the demands of the relying party's policy in place of its own. The
    /// profile's current PIN may be older.
    public var pinPolicy: PinPolicy { ownPinPolicy.following(policy) }
    /// The app's rules for new PINs.
    let ownPinPolicy: PinPolicy
    /// The number of digits of the profile's PIN; nil if it is not remembered.
    public let pinLength: Int?
    /// The authenticator that the user wants to be asked for first.
    public let preferredAuthenticator: Authenticator
    /// The demands of the relying party's policy that apply while the vault is locked: `pinLengths`, `distinctDigits`,
    /// `lockoutPolicy` and `authenticators`. ``OpenVault/policy()`` returns the whole policy.
    public let policy: Policy

    public init(
        id: ProfileID,
        name: ProfileName,
        pinPolicy: PinPolicy = .default,
        pinLength: Int? = nil,
        preferredAuthenticator: Authenticator = .pin,
        policy: Policy = Policy()
    ) {
        self.id = id
        self.name = name
        ownPinPolicy = pinPolicy
        self.pinLength = pinLength
        self.preferredAuthenticator = preferredAuthenticator
        self.policy = policy
    }
}

extension Profile {
    /// Returns the profile with the demands of another policy of the relying party, in place of the one that it had.
    ///
    /// Use it in an app without ``Profiles``, for the profile that you pass to
    /// ``LocalAuthService/init(vault:of:prompt:configuration:)``. ``LocalAuthService`` does it by itself for a profile
    /// of ``Profiles``.
    public func following(_ policy: Policy) -> Profile {
        Profile(
            id: id, name: name, pinPolicy: ownPinPolicy, pinLength: pinLength,
            preferredAuthenticator: preferredAuthenticator, policy: policy.whileLocked ?? Policy())
    }

    /// Whether the relying party's policy lets the user open the vault with `authenticator`.
    public func permits(_ authenticator: Authenticator) -> Bool { policy.permits(authenticator) }
}

extension Policy {
    /// Whether the policy lets the user open the vault with `authenticator`.
    func permits(_ authenticator: Authenticator) -> Bool {
        guard let authenticators else { return true }
        return switch authenticator {
        case .pin: authenticators.values.contains(.pin)
        case .biometrics: authenticators.values.contains(.biometrics)
        }
    }

    /// The members that apply while the vault is locked; nil if the policy has none of them.
    var whileLocked: Policy? {
        let members: [Member] = [.authenticators, .distinctDigits, .lockoutPolicy, .pinLengths]
        let policy = Policy().replacing(members, with: self)
        return policy.isEmpty ? nil : policy
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
