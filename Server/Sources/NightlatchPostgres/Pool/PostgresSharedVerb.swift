import NightlatchRelyingParty
import NightlatchWire

/// A verb that shares its round trips and its transaction with others.
///
/// It runs in three steps. All verbs of a group take one step before any takes the next. When a verb decides, it
/// therefore does not see the writes of the other verbs. A verb may be shared only if those writes make no difference
/// to its decision. If the writes of one verb would change the decision of another, both have the same ``key``.
struct PostgresSharedVerb: Sendable {
    /// The three steps of the verb:
    ///
    /// 1. Ask: sends the first statements, without reading an answer. Returns the second step.
    /// 2. Decide: reads the answers, decides, and writes. After the first write, throws only errors of the connection.
    ///    Returns the third step.
    /// 3. Answer: resumes the caller after the commit.
    ///
    /// The first two steps may run again after a rollback.
    let ask: @Sendable (PostgresTransaction) throws -> () throws -> @Sendable () -> Void
    /// Answers the caller with an error.
    let fail: @Sendable (RelyingPartyStoreError) -> Void
    /// The key of a resource that only one verb may use; nil for none. Two verbs with the same key are never in one
    /// group. Each group runs its verbs in the order of their keys, so that no two groups wait for each other's locks.
    let key: String?
    /// The current time; nil for the database's clock, except in tests. All verbs of a group have the same value.
    let time: NumericDate?
    /// The time at which the verb's wait ends.
    let deadline = PostgresJobs.deadline()

    /// Returns a job that runs the verb alone in its own transaction, with the usual retries.
    func alone(writing: Bool) -> PostgresJobs.Job {
        PostgresJobs.Job(
            run: { [self] worker in
                switch worker.perform(writing: writing, time: time, { transaction in try ask(transaction)() }) {
                case .success(let answer): answer()
                case .failure(let error): fail(error)
                }
            },
            refuse: fail, deadline: deadline)
    }
}
