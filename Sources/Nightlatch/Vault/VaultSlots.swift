/// The slots of a vault: each contains the vault key, wrapped.
///
/// A slot needs no authentication, since only the right vault key in it opens the content. So a lockout can remove
/// slots without the vault key.
struct VaultSlots: Codable, Hashable, Sendable {
    /// Nil after a lockout has removed the PIN, or the user gave it up.
    var pin: PinSlot?
    /// Sealed to the key that biometrics release.
    var biometrics: HPKEBox?
    /// The key of the keyring that opens ``biometrics``. Nil if there is none, and in ``SealedFormat/first``, where the
    /// recipients name it.
    var biometricKey: BiometricKeyID?
    /// Sealed to the key that the recovery phrase gives.
    var recovery: HPKEBox?

    private enum CodingKeys: String, CodingKey {
        case pin, biometrics, recovery
        case biometricKey = "biometric_key"
    }

    func has(_ slot: VaultSlot) -> Bool {
        switch slot {
        case .pin: pin != nil
        case .biometrics: biometrics != nil
        case .recoveryPhrase: recovery != nil
        }
    }
}

/// A kind of slot that opens a vault.
public enum VaultSlot: String, Hashable, Sendable, CaseIterable {
    case pin, biometrics
    case recoveryPhrase = "recovery_phrase"
}
