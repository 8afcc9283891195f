/// How a transaction stands. All but ``pending`` are for good.
public enum TransactionState: String, Codable, Hashable, Sendable, CaseIterable {
    /// It waits for a person's decision.
    case pending
    /// A person has confirmed it, and a device key has signed that.
    case confirmed
    /// A person has rejected it, and a device key has signed that.
    case rejected
    /// Nobody decided it in time.
    case expired
    /// The app's backend has taken it back.
    case voided
}

/// What a person says to a transaction.
public enum TransactionDecision: String, Codable, Hashable, Sendable, CaseIterable {
    case confirm
    case reject

    /// How a transaction stands that was decided so.
    public var state: TransactionState {
        switch self {
        case .confirm: .confirmed
        case .reject: .rejected
        }
    }
}
