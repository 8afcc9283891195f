import NightlatchWire

extension VaultSlot {
    /// The user verification method that the login reports to the relying party.
    var userVerification: UserVerification {
        switch self {
        case .pin: .pin
        case .biometrics: .biometrics
        case .recoveryPhrase: .recoveryPhrase
        }
    }
}
