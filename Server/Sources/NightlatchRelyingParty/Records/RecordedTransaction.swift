public import NightlatchWire

/// A new transaction of a backend, before it is recorded.
public struct NewTransaction: Hashable, Sendable {
    public let id: TransactionID
    public let user: UserID
    public let addressees: TransactionAddressees
    public let details: TransactionDetails
    /// The number of pending transactions that the user may have, including this one.
    public let pendingLimit: Int
    /// The longest permitted lifetime.
    public let longestLife: Duration
    /// The party that creates it, for the audit log.
    public let createdBy: ActingParty

    public init(
        id: TransactionID,
        user: UserID,
        addressees: TransactionAddressees,
        details: TransactionDetails,
        pendingLimit: Int,
        longestLife: Duration,
        createdBy: ActingParty
    ) {
        self.id = id
        self.user = user
        self.addressees = addressees
        self.details = details
        self.pendingLimit = pendingLimit
        self.longestLife = longestLife
        self.createdBy = createdBy
    }
}

/// The outcome of a ``NewTransaction``. Only ``created(_:)`` means that the store may have written something.
public enum TransactionCreation: Hashable, Sendable {
    /// The transaction exists, created by this or an earlier identical request. It is returned in its current state.
    case created(RecordedTransaction)
    /// Another transaction has this id.
    case idTaken
    /// There is no such user, or one of the devices does not belong to the user, or is blocked or revoked.
    case addresseeUnknown
    /// The user has as many pending transactions as permitted.
    case tooMany
    /// The transaction has expired by the store's clock, or its lifetime is too long.
    case expiryRefused
}

/// A transaction as stored.
public struct RecordedTransaction: Hashable, Sendable {
    public let id: TransactionID
    public let user: UserID
    public let addressees: TransactionAddressees
    public let details: TransactionDetails
    /// The state at the time of reading, by the store's clock.
    public var state: TransactionState
    public let createdAt: NumericDate
    /// The time at which the transaction was decided or voided; nil if it was neither.
    public var endedAt: NumericDate?
    /// The signed decision, if there is one.
    public let proof: DecisionProof?

    public init(
        id: TransactionID,
        user: UserID,
        addressees: TransactionAddressees,
        details: TransactionDetails,
        state: TransactionState,
        createdAt: NumericDate,
        endedAt: NumericDate? = nil,
        proof: DecisionProof? = nil
    ) {
        self.id = id
        self.user = user
        self.addressees = addressees
        self.details = details
        self.state = state
        self.createdAt = createdAt
        self.endedAt = endedAt
        self.proof = proof
    }
}

extension RecordedTransaction {
    /// Whether `transaction` equals this one.
    ///
    /// The details are compared by their hash, which a device signs too. Swift's `==` would also accept canonically
    /// equivalent texts with different code points.
    package func isSame(as transaction: NewTransaction) -> Bool {
        id == transaction.id && user == transaction.user && addressees == transaction.addressees
            && details.hash == transaction.details.hash
    }
}
