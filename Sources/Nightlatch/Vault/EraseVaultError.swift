/// An error that kept a vault from being erased completely.
public enum EraseVaultError: Error, Hashable, Sendable {
    /// The record could not be removed. It may still exist, complete.
    case vault(VaultError)
    /// The record is gone, and with it everything that was in the vault. A biometric key is still on the keyring, but
    /// opens nothing any more.
    case biometrics(BiometricError)
}
