/// Why an open vault did not do what was asked. Its secrets are as they were, unless the store failed in the act; then they are
/// as they were or as they should be.
public enum OpenVaultError: Error, Hashable, Sendable {
    /// The vault was locked, before the call or while it was at work. Unlock it again. What a call was writing when the vault was locked may
    /// have been written.
    case locked
    /// The PIN was changed, the way by which it was opened was ended, or the vault was removed since, so this opening is worth
    /// nothing any more. Unlock it again.
    case superseded
    /// The name begins with `nightlatch.`, which is for what the library keeps. Nothing was done.
    case reservedName
    /// The record could not be used.
    case record(VaultRecordError)
}
