package import Nightlatch

extension BiometricProtection {
    /// What the person is asked for.
    package var policy: BiometryPolicy {
        switch self {
        case .biometricsOnly: .deviceOwnerAuthenticationWithBiometrics
        case .biometricsOrPasscode: .deviceOwnerAuthentication
        }
    }

    /// Where a vault's keys of this protection lie in the Keychain. Each has a place of its own, so that a key which a passcode releases
    /// is never taken for one which biometrics alone release.
    func account(of vault: String, _ key: BiometricKeyID) -> String {
        switch self {
        case .biometricsOnly: "biometrics.\(vault).\(key.rawValue)"
        case .biometricsOrPasscode: "biometrics-or-passcode.\(vault).\(key.rawValue)"
        }
    }
}
