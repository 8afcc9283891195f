/// The reason why an ``OpenVault`` has ended.
public enum OpenVaultEnd: Hashable, Sendable {
    /// It was locked by ``OpenVault/lock()``, its time was up (``AutoLock``), or nothing refers to it any more.
    case locked
    /// The vault's PIN or key was changed, the slot that opened it was removed, or the vault is gone.
    case superseded
}
