/// An error that kept a vault from being erased completely.
public enum EraseVaultError: Error, Hashable, Sendable {
    /// The record could not be removed. It may still be there, complete.
    case record(VaultRecordError)
    /// The record is gone, and with it everything that was in the vault. A key that opens nothing any more is left on
    /// the keyring.
    case biometrics(BiometricError)
}
