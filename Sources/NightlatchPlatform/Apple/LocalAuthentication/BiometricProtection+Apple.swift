package import Nightlatch

extension BiometricProtection {
    /// The system's policy for asking the user.
    package var policy: BiometryPolicy {
        switch self {
        case .biometricsOnly: .deviceOwnerAuthenticationWithBiometrics
        case .biometricsOrPasscode: .deviceOwnerAuthentication
        }
    }

    /// The Keychain account of a vault's key with this protection. The accounts differ, so that a key that a passcode
    /// releases is never taken for a key that only biometrics release.
    func account(of vault: String, _ key: BiometricKeyID) -> String {
        switch self {
        case .biometricsOnly: "biometrics.\(vault).\(key.rawValue)"
        case .biometricsOrPasscode: "biometrics-or-passcode.\(vault).\(key.rawValue)"
        }
    }
}
