/// An error that occurs while sealing a vault again.
///
/// The slots that opened the vault before still open it, unless the store failed during the very last write. Then
/// either the old PIN or the new one opens it, but never both.
public enum RekeyError: Error, Hashable, Sendable {
    /// The record could not be used.
    case record(VaultRecordError)
    /// The new PIN could not be stretched.
    case keyDerivation(KeyDerivationFailure)
    /// Since the vault was opened, another process has changed or removed the PIN, or has begun another change of it.
    case superseded
    /// The vault's PIN depends on a hardener, but the vault was set up without one.
    case noHardener
    /// The hardener reported an error. If it was unreachable in the very last step, either the old PIN or the new one
    /// opens the vault, but never both. The next unlock finds out which.
    case hardener(PinHardenerError)

    /// Converts the error of opening a promoted change with its PIN.
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
