/// The findings of the unlock for a decision that was made. Later unlocks do not report them again.
public struct DecisionReceipt: Hashable, Sendable {
    /// Guesses at the PIN that others may have made (``OpenVault/foreignGuesses``): tell the user. Nil if there were
    /// none, or if no PIN opened the vault.
    public let foreignGuesses: ForeignGuesses?
    /// The error of the unlock, if it had to rekey the vault and could not (``OpenVault/rekeyFailure``).
    public let rekeyFailure: VaultError?
}
