/// How a vault stands while it is locked.
public enum VaultState: Hashable, Sendable {
    /// The store finds no vault. There never was one, it was erased by ``Vault/erase()``, it did not come along when the device was
    /// replaced, or the store does not find it now and may later. Where a vault is expected, ask again later.
    case absent
    /// The lockout policy has wiped the vault, or the person gave up a PIN under such a policy. A PIN is to be set.
    case erased
    /// A PIN may be tried.
    case ready(triesLeft: Int)
    /// A PIN may be tried after this time.
    case waiting(Duration, triesLeft: Int)
    /// No PIN opens the vault any more.
    case blocked(Unblocking)
}

/// What lets a person back in.
public enum Unblocking: Hashable, Sendable {
    /// The full credentials with the relying party. With them a vault gets a new PIN that ``Vault/ways()`` still lead into: by
    /// biometrics (``OpenVault/setPin(_:after:code:)``) or by its recovery phrase (``Vault/recover(with:newPin:after:code:)``). Only where there
    /// is no way left is it erased and made anew.
    case newCredentials
    /// The recovery phrase.
    case recoveryPhrase
}

/// Why a PIN did not open a vault, as a screen shows it.
public enum PinRefusal: Hashable, Sendable {
    /// The PIN was tried and is wrong. After the wait, if there is one, it may be tried again.
    case wrong(triesLeft: Int, wait: Duration?)
    /// The PIN was not tried: there is a wait, of which this is left.
    case waiting(Duration, triesLeft: Int)
    /// The PIN was not tried, or it was the last wrong one: no PIN opens the vault any more.
    case blocked(Unblocking)
    /// It was the last wrong PIN: the vault was erased.
    case erased
}
