public import NightlatchWire

/// A new transaction of a backend, before it is recorded.
public struct NewTransaction: Hashable, Sendable {
    public let id: TransactionID
    public let user: UserID
    public let addressees: TransactionAddressees
    public let details: TransactionDetails
    /// The number of pending transactions that the user may have, including this one.
    public let pendingLimit: Int
    /// The longest permitted life.
    public let longestLife: Duration

    public init(
        id: TransactionID,
        user: UserID,
        addressees: TransactionAddressees,
        details: TransactionDetails,
        pendingLimit: Int,
        longestLife: Duration
    ) {
        self.id = id
        self.user = user
        self.addressees = addressees
        self.details = details
        self.pendingLimit = pendingLimit
        self.longestLife = longestLife
    }
}

/// The outcome of a ``NewTransaction``. Only ``created(_:)`` may have written anything.
public enum TransactionCreation: Hashable, Sendable {
    /// The transaction exists, created by this or an earlier identical request. It is returned in its current state.
    case created(RecordedTransaction)
    /// Another transaction has this id.
    case idTaken
    /// There is no such user, or one of the devices is not that user's, or is blocked or revoked.
    case addresseeUnknown
    /// The user has as many pending transactions as permitted.
    case tooMany
    /// It has expired by the store's clock, or its life is too long.
    case expiryRefused
}

/// A transaction as stored.
public struct RecordedTransaction: Hashable, Sendable {
    public let id: TransactionID
    public let user: UserID
    public let addressees: TransactionAddressees
    public let details: TransactionDetails
    /// The state when it was read, by the store's clock.
    public var state: TransactionState
    public let createdAt: NumericDate
    /// When it was decided or voided.
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
    /// The details are compared by their hash, which is also what a device signs. Swift's own comparison would also
    /// accept texts that are canonically equivalent but differ in their code points.
    package func isSame(as transaction: NewTransaction) -> Bool {
        id == transaction.id && user == transaction.user && addressees == transaction.addressees
            && details.hash == transaction.details.hash
    }
}
