/// What the unlock for a decision has brought to light, once the decision is made. No other unlock tells it again.
public struct DecisionReceipt: Hashable, Sendable {
    /// Guesses at the PIN that others may have made (``OpenVault/foreignGuesses``): a person is to be told. Nil if there were none, or no PIN
    /// opened the vault.
    public let foreignGuesses: ForeignGuesses?
    /// Why the vault was not sealed anew though that was due (``OpenVault/rekeyFailure``).
    public let rekeyFailure: RekeyError?
}
