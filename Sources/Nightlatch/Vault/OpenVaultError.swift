/// Why an open vault did not do what was asked. Its secrets are as they were, unless the store failed in the act; then they are
/// as they were or as they should be.
public enum OpenVaultError: Error, Hashable, Sendable {
    /// The vault was locked. Unlock it again.
    case locked
    /// The PIN was changed, ended or the vault removed since it was opened, so this opening is worth nothing any more. Unlock
    /// it again.
    case superseded
    /// The record could not be used.
    case record(VaultRecordError)
}
