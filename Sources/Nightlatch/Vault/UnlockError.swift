/// An error that occurs while opening a vault by PIN.
public enum UnlockError: Error, Hashable, Sendable {
    /// The store finds no vault, or an erased one; ``Vault/state()`` says which. If a vault is expected, try again
    /// later. Otherwise set a PIN with ``Vault/create(with:)``.
    case noVault
    /// The PIN was refused. Show the reason to the user, and ask again when that is allowed.
    case refused(PinRefusal)
    /// The vault could not be used. Nothing was counted, unless the store failed after the attempt had been charged, or
    /// the PIN could not be stretched; then the attempt counts.
    case vault(VaultError)
    /// The caller's task was cancelled before the attempt was charged. Nothing was counted.
    case cancelled
}
