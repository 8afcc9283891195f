/// An error that occurs while using an open vault. Its secrets are unchanged, unless the store failed during the write;
/// then they have the old or the new values.
public enum OpenVaultError: Error, Hashable, Sendable {
    /// The vault was locked, before the call or during it. Unlock it again. A write that was under way may have been
    /// made.
    case locked
    /// This opening is superseded: the PIN was changed, the slot that opened it was removed, or the vault was removed.
    /// Unlock it again.
    case superseded
    /// The name begins with `nightlatch.`, a prefix that is reserved for the library. Nothing was done.
    case reservedName
    /// The record could not be used.
    case record(VaultRecordError)
}
