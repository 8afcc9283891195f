/// Why an ``OpenVault`` gives no secret any more.
public enum OpenVaultEnd: Hashable, Sendable {
    /// It was locked by ``OpenVault/lock()``, its time was up (``AutoLock``), or nothing refers to it any more.
    case locked
    /// The vault has another PIN or key since, the way by which it was opened was removed, or the vault is gone.
    case superseded
}
