import NightlatchRelyingParty

/// Verbs that share one transaction, or one round trip of reads.
struct PostgresGroup {
    let verbs: [PostgresSharedVerb]
    let isWriting: Bool

    /// Runs the verbs on `worker` and answers those that succeeded.
    ///
    /// All verbs fail if the database is unavailable, full or read-only, or if it is unknown whether the commit took
    /// effect.
    ///
    /// - Returns: The verbs that must run again, each alone. Nothing of them was committed. If a statement failed, or
    ///   the connection was lost before the commit, these are all verbs. Otherwise they are the verbs that needed a row
    ///   that was locked or missing.
    func run(on worker: PostgresWorker) -> [PostgresSharedVerb] {
        var (answers, alone): ([@Sendable () -> Void], [PostgresSharedVerb]) = ([], [])
        do {
            answers = try worker.performOnce(writing: isWriting, shared: true, time: verbs[0].time) { transaction in
                let decisions = try verbs.map { verb in (verb, try verb.ask(transaction)) }
                if isWriting { try transaction.limitWaits() }
                return try decisions.compactMap { verb, decide in
                    do {
                        return try decide()
                    } catch PostgresFailure.passedOver {
                        alone.append(verb)
                        return nil
                    } catch let error as RelyingPartyStoreError {
                        // The verb found a record that it cannot read. It has written nothing.
                        return { verb.fail(error) }
                    }
                }
            }
        } catch {
            guard !isForAll(error) else {
                for verb in verbs { verb.fail(storeError(error)) }
                return []
            }
            return verbs
        }
        if isWriting, !answers.isEmpty { PostgresMetrics.record(groupOf: answers.count) }
        for answer in answers { answer() }
        return alone
    }

    private func storeError(_ error: any Error) -> RelyingPartyStoreError {
        (error as? PostgresFailure).map(RelyingPartyStoreError.init) ?? error as? RelyingPartyStoreError
            ?? RelyingPartyStoreError(.defect)
    }

    /// Returns whether all verbs get `error`: each would also get it alone, or it is unknown whether the transaction
    /// was committed.
    private func isForAll(_ error: any Error) -> Bool {
        switch error {
        case PostgresFailure.connectionLost(let isCommitting): isCommitting
        case PostgresFailure.notConnected: true
        case PostgresFailure.statement where [.full, .readOnly].contains(storeError(error).kind): true
        case is PostgresFailure: false
        default: true
        }
    }
}
