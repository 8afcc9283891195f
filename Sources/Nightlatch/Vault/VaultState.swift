/// The state of a locked vault.
public enum VaultState: Hashable, Sendable {
    /// The store finds no vault.
    ///
    /// There never was one, ``Vault/erase()`` erased it, it was not copied when the device was replaced, or the store
    /// does not find it now and may find it later. If a vault is expected, ask again later.
    case absent
    /// The lockout policy has erased the vault, or the user gave up a PIN under such a policy. A new PIN must be set.
    case erased
    /// A PIN may be tried.
    case ready(triesLeft: Int)
    /// A PIN may be tried after this time.
    case waiting(Duration, triesLeft: Int)
    /// No PIN opens the vault any more.
    case blocked(Unblocking)
}

/// The proof that unblocks a vault.
public enum Unblocking: Hashable, Sendable {
    /// The full credentials with the relying party.
    ///
    /// With them, the vault gets a new PIN if ``Vault/slots()`` returns a slot: biometrics
    /// (``OpenVault/setPin(_:after:code:)``) or the recovery phrase
    /// (``Vault/recover(with:newPin:after:code:acceptingUnauthenticated:)``). If there is no such slot, erase the vault
    /// and create a new one.
    case newCredentials
    /// The recovery phrase.
    case recoveryPhrase
}

/// The reason why a PIN did not open a vault, in the form that a screen shows.
public enum PinRefusal: Hashable, Sendable {
    /// The PIN was tried and is wrong. Another PIN may be tried, after the wait if there is one.
    case wrong(triesLeft: Int, wait: Duration?)
    /// The PIN was not tried, because a wait is running. The duration is the rest of the wait.
    case waiting(Duration, triesLeft: Int)
    /// The PIN was not tried, or it was the last wrong PIN. No PIN opens the vault any more.
    case blocked(Unblocking)
    /// It was the last wrong PIN: the vault was erased.
    case erased
}
