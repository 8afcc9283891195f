/// Why a vault was not sealed anew. What opened it before does so still, unless the store failed in the very last write: then
/// either the old PIN opens it or the new one does, and only one.
public enum RekeyError: Error, Hashable, Sendable {
    /// The record could not be used.
    case record(VaultRecordError)
    /// The new PIN could not be stretched.
    case keyDerivation(KeyDerivationFailure)
    /// The PIN was changed or ended by someone else meanwhile, or another change of it has begun.
    case superseded
    /// The vault's PIN hangs on a hardener, and the vault was set up without one.
    case noHardener
    /// The hardener did not have its part. If it was out of reach in the very last step, either the old PIN opens the vault or the new
    /// one does, and only one; the next unlock finds out which.
    case hardener(PinHardenerError)

    /// Why what the hardener has promoted could not be opened by its PIN.
    init(_ error: UnlockError) {
        switch error {
        case .record(let error): self = .record(error)
        case .notPrepared(let failure), .keyDerivation(let failure): self = .keyDerivation(failure)
        case .hardener(let error): self = .hardener(error)
        case .cancelled: self = .hardener(.cancelled)
        case .noHardener: self = .noHardener
        case .noVault, .refused: self = .superseded
        }
    }
}
