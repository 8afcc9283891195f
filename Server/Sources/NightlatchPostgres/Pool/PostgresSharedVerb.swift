import NightlatchRelyingParty
import NightlatchWire

/// A verb that shares its trips to the server, and its transaction, with others: in three steps, each of which all of a group take
/// before any of them takes the next.
///
/// So what one writes the others have not seen when they decide. A verb may be shared if that is all one to it; where it is not, both
/// name the same ``key``.
struct PostgresSharedVerb: Sendable {
    /// Sends what the verb asks before it knows anything, and looks at no answer yet. It returns what decides by the answers and then
    /// writes: once it writes it throws for no reason of its own. That returns what answers the caller once all is committed. The first
    /// two may run again: what they did before was rolled back then.
    let ask: @Sendable (PostgresTransaction) throws -> () throws -> @Sendable () -> Void
    /// Answers the caller that nothing came of it, as far as is known.
    let fail: @Sendable (StoreError) -> Void
    /// What serves one verb only, if anything. Two of one key are never in one group, and each group takes its verbs in the order of
    /// keys, so that no two groups wait for each other at them.
    let key: String?
    /// What time it is; nil for the database's own, as everywhere but in tests. A group has one.
    let time: NumericDate?
    /// How long it may wait.
    let deadline = PostgresJobs.deadline()

    /// The verb with a transaction of its own, tried as any other is.
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
