/// The findings of the unlock for a decision that was made. Later unlocks do not report them again.
public struct DecisionReceipt: Hashable, Sendable {
    /// Guesses at the PIN that others may have made (``OpenVault/foreignGuesses``): tell the user. Nil if there were
    /// none, or if no PIN opened the vault.
    public let foreignGuesses: ForeignGuesses?
    /// The error that kept the vault from being rekeyed although that was due (``OpenVault/rekeyFailure``).
    public let rekeyFailure: RekeyError?
}
