/// The values that a member of a ``Policy`` allows: at least one, and those without which nothing works.
public struct PolicyChoice<Value: PolicyChoiceValue>: Hashable, Sendable {
    public let values: Set<Value>

    /// Creates a choice. Returns nil for no value, and without the ``PolicyChoiceValue/required`` ones.
    public init?(_ values: Set<Value>) {
        guard !values.isEmpty, values.isSuperset(of: Value.required) else { return nil }
        self.values = values
    }

    /// The names of the values in order.
    public var names: [String] { values.map(\.rawValue).sorted() }
}

/// A value of a ``PolicyChoice``. Its raw value is its name on the wire.
public protocol PolicyChoiceValue: RawRepresentable<String>, Hashable, Sendable, CaseIterable {
    /// The values that every choice contains.
    static var required: Set<Self> { get }
}

extension PolicyChoiceValue {
    public static var required: Set<Self> { [] }
}

/// A proof with which a user may open the vault.
public enum PolicyAuthenticator: String, PolicyChoiceValue {
    case pin
    /// Face or finger.
    case biometrics

    /// The PIN is the fallback for everything else, so no policy can forbid it.
    public static let required: Set<Self> = [.pin]
}

/// The place where a PIN is tested.
public enum PolicyPinTier: String, PolicyChoiceValue {
    /// On the device alone, in software.
    case local
    /// On the device and at the relying party together: a two-party PIN.
    case twoParty = "two_party"
    /// In a chip of the device.
    case chip
}

/// A demand on the place of the device key. The relying party cannot verify it: see `docs/threat-model.md`.
public enum HardwareDemand: String, Hashable, Sendable, CaseIterable {
    /// In hardware, if the device has any for keys.
    case preferred
    /// In hardware. An app does not bind a device that has none.
    case required
}

/// The name of a lockout policy that the client library contains.
public enum LockoutPolicyName: String, Hashable, Sendable, CaseIterable {
    case login
    case payment
    case wallet
    case enterprise
}
