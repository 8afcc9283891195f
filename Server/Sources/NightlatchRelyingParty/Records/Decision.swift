public import NightlatchWire

/// A verified decision, ready to be recorded.
public struct NewDecision: Hashable, Sendable {
    public let transaction: TransactionID
    public let user: UserID
    public let device: DeviceID
    public let decision: TransactionDecision
    /// What the person was shown.
    public let detailsHash: TransactionDetailsHash
    /// The signed message as it came over the wire.
    public let message: String

    public init(
        transaction: TransactionID,
        user: UserID,
        device: DeviceID,
        decision: TransactionDecision,
        detailsHash: TransactionDetailsHash,
        message: String
    ) {
        self.transaction = transaction
        self.user = user
        self.device = device
        self.decision = decision
        self.detailsHash = detailsHash
        self.message = message
    }
}

/// What became of a decision. Only ``recorded(_:)`` may have written anything.
public enum DecisionOutcome: Hashable, Sendable {
    /// It stands, now or by an earlier request with the very same message.
    case recorded(TransactionState)
    /// The challenge is past its life by the store's clock.
    case challengeExpired
    /// Another message has used the challenge.
    case challengeUsed
    case deviceBarred(DeviceBar)
    /// The user has no such device or no such transaction, or it is not for this device.
    case noSuchTransaction
    /// What was signed is not what is recorded.
    case detailsDiffer
    /// It was decided by another message, voided, or not decided in time; never `pending`.
    case ended(TransactionState)
}

/// What became of taking a transaction back. Only ``voided(_:)`` may have written anything.
public enum VoidingOutcome: Hashable, Sendable {
    /// It is voided, now or by an earlier request.
    case voided(RecordedTransaction)
    case noSuchTransaction
    /// It was decided before, or not decided in time; never `pending`.
    case ended(TransactionState)
}
