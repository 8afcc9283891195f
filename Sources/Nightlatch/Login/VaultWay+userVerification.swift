import NightlatchWire

extension VaultWay {
    /// How the relying party is told that a vault was opened.
    var userVerification: UserVerification {
        switch self {
        case .pin: .pin
        case .biometrics: .biometrics
        case .recoveryPhrase: .recoveryPhrase
        }
    }
}
