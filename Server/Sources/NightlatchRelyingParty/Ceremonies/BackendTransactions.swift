package import NightlatchWire

/// The backend's operations on transactions.
package struct BackendTransactions: Sendable {
    let store: any RelyingPartyStore
    let longestLife: Duration

    package init(store: any RelyingPartyStore, longestLife: Duration) {
        self.store = store
        self.longestLife = longestLife
    }

    /// The largest number of pending transactions of a user, and of ended transactions in a list.
    ///
    /// A list with this many pending and this many ended transactions, all of the largest size, stays below the size
    /// that clients accept.
    package static var listLimit: Int { 10 }

    /// Creates a transaction for the user to decide. A repeated identical request returns the transaction in its
    /// current state.
    package func create(
        _ request: TransactionRequest, by actor: ActingParty
    ) async throws(Refusal) -> TransactionReport {
        let transaction = NewTransaction(
            id: request.id, user: request.user, addressees: request.devices, details: request.details,
            pendingLimit: Self.listLimit, longestLife: longestLife, createdBy: actor)
        let outcome = try await answer { () async throws(RelyingPartyStoreError) in
            try await store.createTransaction(transaction)
        }
        switch outcome {
        case .created(let transaction): return TransactionReport(transaction)
        case .idTaken: throw .transactionIDTaken
        case .addresseeUnknown: throw .addresseeUnknown
        case .tooMany: throw .tooManyTransactions
        case .expiryRefused: throw .expiryRefused
        }
    }

    /// A transaction with its proof, if a device decided it.
    package func transaction(_ id: TransactionID) async throws(Refusal) -> TransactionReport {
        let found = try await answer { () async throws(RelyingPartyStoreError) in try await store.transaction(id) }
        guard let found else { throw .notFound }
        return TransactionReport(found)
    }

    /// The user's transactions without their proofs, oldest first: the pending ones, and the newest of those that have
    /// ended.
    package func transactions(of user: UserID) async throws(Refusal) -> TransactionReportList {
        let found = try await answer { () async throws(RelyingPartyStoreError) in
            try await store.transactions(of: user, endedLimit: Self.listLimit)
        }
        return TransactionReportList(transactions: found.map { TransactionReport($0, withProof: false) })
    }

    /// Voids a transaction, unless a device has decided it.
    package func void(_ id: TransactionID, by actor: ActingParty) async throws(Refusal) -> TransactionReport {
        let outcome = try await answer { () async throws(RelyingPartyStoreError) in
            try await store.voidTransaction(id, by: actor)
        }
        switch outcome {
        case .voided(let transaction): return TransactionReport(transaction)
        case .noSuchTransaction: throw .notFound
        case .ended(let state): throw Refusal(ended: state) ?? .internalError
        }
    }
}

extension TransactionReport {
    package init(_ transaction: RecordedTransaction, withProof: Bool = true) {
        self.init(
            id: transaction.id, user: transaction.user, devices: transaction.addressees, details: transaction.details,
            state: transaction.state, createdAt: transaction.createdAt, endedAt: transaction.endedAt,
            proof: withProof ? transaction.proof : nil)
    }
}

extension Refusal {
    /// The refusal of an operation that only a pending transaction permits. Nil if `state` is pending.
    package init?(ended state: TransactionState) {
        switch state {
        case .pending: return nil
        case .confirmed: self = .transactionConfirmed
        case .rejected: self = .transactionRejected
        case .expired: self = .transactionExpired
        case .voided: self = .transactionVoided
        }
    }
}
