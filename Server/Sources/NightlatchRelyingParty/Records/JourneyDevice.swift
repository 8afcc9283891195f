public import NightlatchWire

/// The id that a client gives its key, `kid`: 1 to 128 visible ASCII characters.
///
/// Unlike a `KeyID`, it is not derived from the key.
public typealias JourneyKeyID = Identifier<JourneyKeyIDRule>

public enum JourneyKeyIDRule: IdentifierRule {
    public static let name = "journey key id"

    public static func accepts(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

/// The id that a client gives its machine, `deviceId`: 1 to 256 visible ASCII characters.
///
/// No decision depends on it.
public typealias MachineID = Identifier<MachineIDRule>

public enum MachineIDRule: IdentifierRule {
    public static let name = "machine id"

    public static func accepts(_ text: String) -> Bool {
        (1...256).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

/// The key protection that the binding node requested from the client.
///
/// The relying party cannot verify that the client complied.
public enum JourneyKeyProtection: String, Codable, Hashable, Sendable, CaseIterable {
    case biometricOnly = "BIOMETRIC_ONLY"
    case biometricAllowFallback = "BIOMETRIC_ALLOW_FALLBACK"
    case applicationPin = "APPLICATION_PIN"
    case unprotected = "NONE"
}

/// A key that was bound through a journey. Only journeys accept its signatures.
public struct JourneyDevice: Codable, Hashable, Sendable {
    /// The key's id, unique among the keys of its user. Apps with a fixed key tag use the same id for many users.
    public let id: JourneyKeyID
    public let user: UserID
    /// The app that bound the key, `iss`: the only app whose messages the key may sign.
    public let application: String
    public let key: PublicJWK
    /// The only algorithm that is accepted for its signatures.
    public let algorithm: SignatureAlgorithm
    public let machine: MachineID
    public var name: DeviceName
    public let boundAt: NumericDate
    /// The time of the key's last signature; the time of its binding if it has not signed yet.
    public var lastAccessAt: NumericDate
    /// Nil for a key that was bound before this value was recorded.
    public let protection: JourneyKeyProtection?

    public init(
        id: JourneyKeyID,
        user: UserID,
        application: String,
        key: PublicJWK,
        algorithm: SignatureAlgorithm,
        machine: MachineID,
        name: DeviceName,
        boundAt: NumericDate,
        lastAccessAt: NumericDate,
        protection: JourneyKeyProtection? = nil
    ) {
        self.id = id
        self.user = user
        self.application = application
        self.key = key
        self.algorithm = algorithm
        self.machine = machine
        self.name = name
        self.boundAt = boundAt
        self.lastAccessAt = lastAccessAt
        self.protection = protection
    }
}

extension JourneyDevice {
    /// Orders lists: by time of binding, then by id.
    package static func areInOrderOfBinding(_ left: Self, _ right: Self) -> Bool {
        (left.boundAt, left.id.rawValue) < (right.boundAt, right.id.rawValue)
    }
}
