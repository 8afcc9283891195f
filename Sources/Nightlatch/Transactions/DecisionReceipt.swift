/// The findings of the unlock for a decision that was made. No other unlock reports them again.
public struct DecisionReceipt: Hashable, Sendable {
    /// Guesses at the PIN that others may have made (``OpenVault/foreignGuesses``): tell the person. Nil if there were
    /// none, or if no PIN opened the vault.
    public let foreignGuesses: ForeignGuesses?
    /// Why the vault was not rekeyed although it was due (``OpenVault/rekeyFailure``).
    public let rekeyFailure: RekeyError?
}
