/// Why a secret's file gave no secret. Nothing was changed.
public enum SecretFileError: Error, Hashable, Sendable {
    /// There is no such file, where one must be.
    case missing
    /// Others than its owner may read or write it: `chmod 600` it, and replace the secret if others were on the machine.
    case openToOthers
    /// It belongs to another user of the machine, who can put anything into it: `chown` it to the user that the server runs as.
    case ownedByAnother
    /// There is a folder, a pipe or a link under the name, where a file must be.
    case notPlainFile
    /// The key is so short that it can be guessed: it must have this many characters at least.
    case tooShort(characterCount: Int)
    /// It does not hold what it must. Restore it; a new secret would not open what the old one sealed.
    case malformed
    /// The system refused; the number is its `errno`.
    case failed(errno: Int32)
}
