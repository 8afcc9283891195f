/// An error that occurs while opening a vault by PIN.
public enum UnlockError: Error, Hashable, Sendable {
    /// The store finds no vault, or an erased one; ``Vault/state()`` says which. If a vault is expected, try again
    /// later. Otherwise set a PIN with ``Vault/create(with:)``.
    case noVault
    /// The PIN was refused. Show the reason to the user, and ask again when that is allowed.
    case refused(PinRefusal)
    /// The record could not be used. Nothing was counted, unless the store failed after the attempt had been charged;
    /// then the attempt counts.
    case record(VaultRecordError)
    /// A resource for stretching the PIN was missing, most likely memory. Nothing was counted. Free memory and try
    /// again.
    case notPrepared(KeyDerivationFailure)
    /// The PIN could not be stretched. The attempt stays charged, since it is unknown how much an attacker saw.
    case keyDerivation(KeyDerivationFailure)
    /// The hardener gave no key material, so the PIN could not be tested. Nothing was counted on the device, unless
    /// another process has tried a PIN at the same time.
    ///
    /// The most common error is ``PinHardenerError/unavailable(_:)``: the hardener is unreachable.
    case hardener(PinHardenerError)
    /// The vault's PIN depends on a hardener, but the vault was set up without one. Nothing was counted.
    case noHardener
    /// The caller's task was cancelled before the attempt was charged. Nothing was counted.
    case cancelled
}
