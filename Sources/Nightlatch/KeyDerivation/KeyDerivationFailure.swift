/// An error that occurs while stretching a PIN. It says nothing about the PIN.
public enum KeyDerivationFailure: Error, Hashable, Sendable {
    /// The system did not provide the memory that the parameters require. Free some and try again; for a new PIN, other
    /// parameters can be used.
    case memoryUnavailable(byteCount: Int)
    /// Argon2id is not defined for these parameters. ``KeyDerivationBounds`` accepts none of them.
    case impossibleParameters
    /// The system's function failed with this status.
    case system(status: Int32)
}
