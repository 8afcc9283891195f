import CoreMetrics
import Dispatch
import Foundation
import GRDB
import NightlatchRelyingParty
import Synchronization

/// Commits waiting writes in groups, because syncing to disk is the largest part of a write's cost.
///
/// One thread takes all waiting verbs, up to a limit, runs them in one transaction and resumes each when the
/// transaction is on disk. Verbs that arrive during that time form the next group. If a verb throws, the others are not
/// affected: the group is rolled back, and each verb runs again in a separate transaction.
final class SQLiteCommitGroups: Sendable {
    /// The maximum number of verbs in one transaction. The first verb of a group waits for its last.
    private static let groupLimit = 64
    /// The maximum number of waiting verbs.
    ///
    /// If more verbs wait, the disk is too slow for the requests, and a longer queue would only increase the waits.
    private static let waitingLimit = 4096

    private static let groupSize = Recorder(label: MetricName.commitGroupSize.rawValue)

    private let pool: DatabasePool
    private let begin: @Sendable () -> Void
    private let queue = DispatchQueue(label: "nightlatch.sqlite.commit")
    private let state = Mutex(State())

    private struct State {
        var waiting: [Write] = []
        var isRunning = false
    }

    /// A waiting verb.
    private struct Write: Sendable {
        /// Runs the verb, and returns a closure that resumes the verb's caller after the transaction is on disk.
        ///
        /// The verb may run twice; the effects of the first run were then rolled back.
        let run: @Sendable (Database) throws -> @Sendable () -> Void
        let fail: @Sendable (RelyingPartyStoreError) -> Void
    }

    /// - Parameters:
    ///   - pool: The pool whose writing connection is used.
    ///   - begin: Called when a transaction begins, to drop the state of an earlier one that may have been rolled back.
    init(pool: DatabasePool, begin: @escaping @Sendable () -> Void) {
        self.pool = pool
        self.begin = begin
    }

    /// Runs `transaction` completely or not at all.
    ///
    /// - Throws: `RelyingPartyStoreError`. The transaction was rolled back, unless the kind of error states otherwise.
    func write<Value: Sendable>(
        _ transaction: @escaping @Sendable (Database) throws -> Value
    ) async throws(RelyingPartyStoreError) -> Value {
        guard !Task.isCancelled else { throw RelyingPartyStoreError(.unavailable) }
        let result: Result<Value, RelyingPartyStoreError> = await withCheckedContinuation { continuation in
            enqueue(
                Write(
                    run: { database in
                        let value = try transaction(database)
                        return { continuation.resume(returning: .success(value)) }
                    },
                    fail: { error in continuation.resume(returning: .failure(error)) }))
        }
        return try result.get()
    }

    private func enqueue(_ write: Write) {
        enum Step { case wait, start, refuse }
        let step: Step = state.withLock { state in
            guard state.waiting.count < Self.waitingLimit else { return .refuse }
            state.waiting.append(write)
            defer { state.isRunning = true }
            return state.isRunning ? .wait : .start
        }
        switch step {
        case .wait: break
        case .start: queue.async { [self] in commitAll() }
        case .refuse: write.fail(RelyingPartyStoreError(.unavailable))
        }
    }

    private func commitAll() {
        while let group = nextGroup() { commit(group) }
    }

    private func nextGroup() -> [Write]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isRunning = false
                return nil
            }
            let group = Array(state.waiting.prefix(Self.groupLimit))
            state.waiting.removeFirst(group.count)
            return group
        }
    }

    private func commit(_ group: [Write]) {
        Self.groupSize.record(group.count)
        var hasVerbFailed = false
        do {
            let answers = try pool.writeWithoutTransaction { database in
                var answers: [@Sendable () -> Void] = []
                // Takes the write lock at the start, so that values that a verb has read cannot change before it
                // writes.
                try KeptStatement.inTransaction(database) {
                    begin()
                    hasVerbFailed = true
                    for write in group { answers.append(try write.run(database)) }
                    hasVerbFailed = false
                }
                return answers
            }
            for answer in answers { answer() }
        } catch {
            let failure = RelyingPartyStoreError(error)
            // A locked file or a full disk affects all verbs alike.
            guard hasVerbFailed, !failure.kind.mayPass, group.count > 1 else {
                for write in group { write.fail(failure) }
                return
            }
            for write in group { commit([write]) }
        }
    }
}
