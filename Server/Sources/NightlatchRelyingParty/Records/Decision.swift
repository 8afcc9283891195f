public import NightlatchWire

/// A verified decision, ready to be recorded.
public struct NewDecision: Hashable, Sendable {
    public let transaction: TransactionID
    public let user: UserID
    public let device: DeviceID
    public let decision: TransactionDecision
    /// The hash of the details that the user saw.
    public let detailsHash: TransactionDetailsHash
    /// The signed message as received.
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

/// The outcome of a decision. Only ``recorded(_:)`` means that the store may have written something.
public enum DecisionOutcome: Hashable, Sendable {
    /// The decision is recorded, by this or an earlier request with the same message.
    case recorded(TransactionState)
    /// The challenge has expired by the store's clock.
    case challengeExpired
    /// Another message has used the challenge.
    case challengeUsed
    case deviceBarred(DeviceBar)
    /// The user has no such device or no such transaction, or the transaction is not for this device.
    case noSuchTransaction
    /// The signed details differ from the recorded ones.
    case detailsDiffer
    /// Another message decided the transaction, or it was voided or has expired. The state is never `pending`.
    case ended(TransactionState)
}

/// The outcome of voiding a transaction. Only ``voided(_:)`` means that the store may have written something.
public enum VoidingOutcome: Hashable, Sendable {
    /// The transaction is voided, by this or an earlier request.
    case voided(RecordedTransaction)
    case noSuchTransaction
    /// The transaction was decided before, or has expired. The state is never `pending`.
    case ended(TransactionState)
}
