/// The state of a transaction. All states except ``pending`` are final.
public enum TransactionState: String, Codable, Hashable, Sendable, CaseIterable {
    /// No one has decided yet.
    case pending
    /// The user confirmed the transaction, and a device key signed the decision.
    case confirmed
    /// The user rejected the transaction, and a device key signed the decision.
    case rejected
    /// The transaction expired without a decision.
    case expired
    /// The app's backend voided the transaction.
    case voided
}

/// A user's decision on a transaction.
public enum TransactionDecision: String, Codable, Hashable, Sendable, CaseIterable {
    case confirm
    case reject

    /// The state of a transaction after this decision.
    public var state: TransactionState {
        switch self {
        case .confirm: .confirmed
        case .reject: .rejected
        }
    }
}
