/// Why a vault was not opened.
public enum UnlockError: Error, Hashable, Sendable {
    /// The store finds no vault, or a wiped one: ``Vault/state()`` says which. Where one is expected, try again later; otherwise set a PIN with
    /// ``Vault/create(with:)``.
    case noVault
    /// The PIN was refused. Show the person why, and ask again when that is allowed.
    case refused(PinRefusal)
    /// The record could not be used. Nothing was counted, unless the store failed after the attempt had been charged: then it
    /// counts.
    case record(VaultRecordError)
    /// What stretching the PIN needs could not be had, memory most likely. Nothing was counted; free memory and try again.
    case notPrepared(KeyDerivationFailure)
    /// The PIN could not be stretched. The attempt stays charged, since it cannot be told what an attacker saw.
    case keyDerivation(KeyDerivationFailure)
    /// The hardener gave nothing, so it cannot be said whether the PIN is right. Nothing was counted on the device,
    /// unless another process has tried a PIN at the same time; ``PinHardenerError/unavailable(_:)`` is the everyday one: the other side is out of
    /// reach.
    case hardener(PinHardenerError)
    /// The vault's PIN hangs on a hardener, and the vault was set up without one. Nothing was counted.
    case noHardener
    /// The caller's task was cancelled before the attempt was charged. Nothing was counted.
    case cancelled
}
