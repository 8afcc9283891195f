internal import Nightlatch

/// How a key is protected, by the server's names.
public enum DeviceBindingAuthenticationType: String, Codable, Hashable, Sendable, CaseIterable {
    case biometricOnly = "BIOMETRIC_ONLY"
    case biometricAllowFallback = "BIOMETRIC_ALLOW_FALLBACK"
    case applicationPin = "APPLICATION_PIN"
    case none = "NONE"
    /// What this module does not know. No key is ever made for it.
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

    /// Nil for what is not known: that is never none.
    var protection: UserKeyProtection? {
        switch self {
        case .none: UserKeyProtection.none
        case .biometricOnly: .biometrics
        case .biometricAllowFallback: .biometricsOrPasscode
        case .applicationPin: .pin
        case .unknown: nil
        }
    }

    /// Whether a key that is protected like this is what a server gets that asks for `asked`: nothing weaker ever is.
    func satisfies(_ asked: Self) -> Bool {
        self == asked || asked == .none || asked == .biometricAllowFallback && self == .biometricOnly
    }
}

/// Whether the server wants a vendor's word on where a key lies. Android alone has that; here it is shown and not acted on.
public enum Attestation: Hashable, Sendable {
    case none
    case challenge(String)
}
