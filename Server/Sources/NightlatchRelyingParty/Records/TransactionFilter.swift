public import NightlatchWire

/// The transactions that a list shows. A transaction must match each member that is not nil.
public struct TransactionFilter: Hashable, Sendable {
    public var state: TransactionState?
    public var user: UserID?
    /// The latest time by which the list is ordered.
    public var until: NumericDate?

    public init(state: TransactionState? = nil, user: UserID? = nil, until: NumericDate? = nil) {
        self.state = state
        self.user = user
        self.until = until
    }

    /// Whether the list is ordered by the times at which the transactions expire, and not by those at which they were
    /// created.
    ///
    /// The store finds undecided transactions by that time: it says which of them are pending and which have expired.
    package var isOrderedByExpiry: Bool { user == nil && (state == .pending || state == .expired) }

    /// The place of a transaction in the list.
    public func position(of transaction: RecordedTransaction) -> TimePosition {
        TimePosition(
            at: isOrderedByExpiry ? transaction.details.expiresAt : transaction.createdAt, id: transaction.id.rawValue)
    }
}
