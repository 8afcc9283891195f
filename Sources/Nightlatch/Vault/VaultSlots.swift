/// The ways into a vault: each holds the vault key, wrapped.
///
/// A slot vouches for itself, since only the right vault key in it opens the content. So a lockout can remove slots when nobody
/// has the vault key.
struct VaultSlots: Codable, Hashable, Sendable {
    /// Nil once a lockout has ended the PIN, or the person gave it up.
    var pin: PinSlot?
    /// Sealed to the key that biometrics release.
    var biometrics: HPKEBox?
    /// Which key of the keyring opens ``biometrics``. Nil where there is none, and in ``SealedFormat/first``, whose recipients say it.
    var biometricKey: BiometricKeyID?
    /// Sealed to the key that the recovery phrase gives.
    var recovery: HPKEBox?

    private enum CodingKeys: String, CodingKey {
        case pin, biometrics, recovery
        case biometricKey = "biometric_key"
    }

    func has(_ way: VaultWay) -> Bool {
        switch way {
        case .pin: pin != nil
        case .biometrics: biometrics != nil
        case .recoveryPhrase: recovery != nil
        }
    }
}

/// A way into a vault.
public enum VaultWay: String, Hashable, Sendable, CaseIterable {
    case pin, biometrics
    case recoveryPhrase = "recovery_phrase"
}
