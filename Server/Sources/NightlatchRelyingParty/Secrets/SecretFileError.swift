/// The reason why a secret could not be read from its file. Nothing was changed.
public enum SecretFileError: Error, Hashable, Sendable {
    /// The file does not exist, but must.
    case missing
    /// Users other than the owner may read or write the file: `chmod 600` it, and replace the secret if others had
    /// access to the machine.
    case openToOthers
    /// Another user of the machine owns the file, and can write anything into it: `chown` it to the user that the
    /// server runs as.
    case ownedByAnother
    /// The path is that of a folder, pipe or link instead of a file.
    case notPlainFile
    /// The key is so short that it can be guessed: it must have at least this many characters.
    case tooShort(characterCount: Int)
    /// The file does not contain a valid secret.
    ///
    /// Restore the file: a new secret could not open data that was sealed with the old secret.
    case malformed
    /// The system call failed with this `errno`.
    case failed(errno: Int32)
}
