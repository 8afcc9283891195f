/// Why a vault was not erased, or not all of it.
public enum EraseVaultError: Error, Hashable, Sendable {
    /// The record may be there still, whole.
    case record(VaultRecordError)
    /// The record is gone, and with it all that was in the vault. A key that opens nothing any more is left on the keyring.
    case biometrics(BiometricError)
}
