/// A PIN could not be stretched. Nothing was learnt about it.
public enum KeyDerivationFailure: Error, Hashable, Sendable {
    /// The system has not given the memory that the parameters ask for. Free some and try again; for a new PIN other parameters
    /// can be taken.
    case memoryUnavailable(byteCount: Int)
    /// There is no Argon2id with these parameters. ``KeyDerivationBounds`` lets none of them pass.
    case impossibleParameters
    /// The system's function failed, with its status.
    case system(status: Int32)
}
