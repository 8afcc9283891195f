/// What the last failed attempt does, and giving up the PIN as well.
public enum LockoutEnd: String, Hashable, Sendable, CaseIterable {
    /// The PIN is removed. Biometrics open the vault still, if they were set up; a new PIN needs the person's full credentials.
    /// **A vault without another way in is lost**, with all that is in it.
    case newCredentials
    /// The PIN and biometrics are removed: the recovery phrase alone opens the vault, and sets a new PIN. A vault without a
    /// recovery phrase is lost.
    case recoveryPhrase
    /// The vault is erased, at once and by the library itself.
    case wipe
}
