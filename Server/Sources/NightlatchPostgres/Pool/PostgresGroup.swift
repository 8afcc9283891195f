import NightlatchRelyingParty

/// Verbs that share one transaction, or one trip of readings.
struct PostgresGroup {
    let verbs: [PostgresSharedVerb]
    let isWriting: Bool

    /// Carries them out on `worker` and answers those that came to an end.
    ///
    /// - Returns: Those of which nothing was committed and that are to run alone: the one that missed its row, or all, where a statement
    ///   failed or the connection was lost before the commit. That the database is away, has no room or takes no writes is told to all.
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
                    } catch let error as StoreError {
                        // It has found something that it cannot read, and written nothing.
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

    private func storeError(_ error: any Error) -> StoreError {
        (error as? PostgresFailure).map(StoreError.init) ?? error as? StoreError ?? StoreError(.defect)
    }

    /// Whether what went wrong would go wrong for each of them too, or nobody knows whether it went wrong.
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
