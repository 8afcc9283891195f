public import NightlatchWire

/// A transaction that a backend asks to have decided, ready to be recorded.
public struct NewTransaction: Hashable, Sendable {
    public let id: TransactionID
    public let user: UserID
    public let addressees: TransactionAddressees
    public let details: TransactionDetails
    /// How many pending transactions the user may have, this one included.
    public let pendingLimit: Int
    /// How long it may live.
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

/// What became of a ``NewTransaction``. Only ``created(_:)`` may have written anything.
public enum TransactionCreation: Hashable, Sendable {
    /// It is there, now or by an earlier request for the very same. The state is the one that it has by now.
    case created(RecordedTransaction)
    /// There is another transaction of this id.
    case idTaken
    /// There is no such user, or one of the devices is not that user's or is barred.
    case addresseeUnknown
    /// The user has as many pending ones as may be.
    case tooMany
    /// It has expired by the store's clock, or would live too long.
    case expiryRefused
}

/// A transaction as the store knows it.
public struct RecordedTransaction: Hashable, Sendable {
    public let id: TransactionID
    public let user: UserID
    public let addressees: TransactionAddressees
    public let details: TransactionDetails
    /// How it stood, by the store's clock, when it was read.
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
    /// Whether `transaction` asks for what is recorded here. The details are compared by their hash, which is what is signed: texts
    /// that are equal to Swift may have been written in different ways.
    package func isSame(as transaction: NewTransaction) -> Bool {
        id == transaction.id && user == transaction.user && addressees == transaction.addressees
            && details.hash == transaction.details.hash
    }
}
