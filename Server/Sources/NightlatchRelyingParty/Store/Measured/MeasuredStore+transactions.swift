package import NightlatchWire

extension MeasuredStore {
    package func createTransaction(_ transaction: NewTransaction) async throws(StoreError) -> TransactionCreation {
        try await metrics.createTransaction.measure { () async throws(StoreError) in
            try await base.createTransaction(transaction)
        }
    }

    package func transaction(_ id: TransactionID) async throws(StoreError) -> RecordedTransaction? {
        try await metrics.transaction.measure { () async throws(StoreError) in try await base.transaction(id) }
    }

    package func transactions(of user: UserID, endedLimit: Int) async throws(StoreError) -> [RecordedTransaction] {
        try await metrics.transactions.measure { () async throws(StoreError) in
            try await base.transactions(of: user, endedLimit: endedLimit)
        }
    }

    package func voidTransaction(_ id: TransactionID, by actor: ActingParty) async throws(StoreError) -> VoidingOutcome
    {
        try await metrics.voidTransaction.measure { () async throws(StoreError) in
            try await base.voidTransaction(id, by: actor)
        }
    }

    package func decideTransaction(
        _ decision: NewDecision, consuming use: ChallengeUse
    ) async throws(StoreError) -> DecisionOutcome {
        try await metrics.decideTransaction.measure { () async throws(StoreError) in
            try await base.decideTransaction(decision, consuming: use)
        }
    }
}
