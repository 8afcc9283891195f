/// The effect of the last wrong attempt, and of giving up the PIN.
public enum LockoutEnd: String, Hashable, Sendable, CaseIterable {
    /// The PIN is removed. Biometrics still open the vault, if they were set up. A new PIN needs the user's full
    /// credentials. **A vault without another slot is lost**, with everything in it.
    case newCredentials
    /// The PIN and biometrics are removed. Only the recovery phrase opens the vault, and sets a new PIN. A vault
    /// without a recovery phrase is lost.
    case recoveryPhrase
    /// The library itself erases the vault at once.
    case wipe
}
