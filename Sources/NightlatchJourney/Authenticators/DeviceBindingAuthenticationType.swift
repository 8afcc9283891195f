internal import Nightlatch

/// The protection of a key, with the server's names.
public enum DeviceBindingAuthenticationType: String, Codable, Hashable, Sendable, CaseIterable {
    case biometricOnly = "BIOMETRIC_ONLY"
    case biometricAllowFallback = "BIOMETRIC_ALLOW_FALLBACK"
    case applicationPin = "APPLICATION_PIN"
    case none = "NONE"
    /// A protection that this module does not know. No key is made for it.
    case unknown = ""
}

extension DeviceBindingAuthenticationType {
    init(_ protection: UserKeyProtection) {
        self =
            switch protection {
            case .none: .none
            case .biometrics: .biometricOnly
            case .biometricsOrPasscode: .biometricAllowFallback
            case .pin: .applicationPin
            }
    }

    /// The protection. Nil for an unknown type, which must not be treated as unprotected.
    var protection: UserKeyProtection? {
        switch self {
        case .none: UserKeyProtection.none
        case .biometricOnly: .biometrics
        case .biometricAllowFallback: .biometricsOrPasscode
        case .applicationPin: .pin
        case .unknown: nil
        }
    }

    /// Whether a key with this protection is acceptable for a server that asks for `asked`. A weaker protection never
    /// is.
    func satisfies(_ asked: Self) -> Bool {
        self == asked || asked == .none || asked == .biometricAllowFallback && self == .biometricOnly
    }
}

/// Whether the server asks for a statement of the device's manufacturer about where the key is stored. Only Android has
/// such statements. This module reports the request and does not act on it.
public enum Attestation: Hashable, Sendable {
    case none
    case challenge(String)
}
