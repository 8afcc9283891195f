import CoreMetrics
import Dispatch
import Foundation
import GRDB
import NightlatchRelyingParty
import Synchronization

/// Commits what waits to be written in groups, since forcing the disk is what a write costs most.
///
/// One thread takes all that wait, up to a bound, runs them in one transaction and answers each when that is on disk; what comes
/// meanwhile is the next group. A verb that throws is none of the others' affair: the group is rolled back, and each runs again in
/// a transaction of its own.
final class SQLiteCommitGroups: Sendable {
    /// How many verbs one transaction holds at most: the first of them waits for the last.
    private static let groupLimit = 64
    /// How many verbs may wait. Beyond that the disk is slower than the requests, and waiting would only make it worse.
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

    /// One verb that waits.
    private struct Write: Sendable {
        /// Runs it, and returns what answers it once it is on disk. It may run twice: what it did first was rolled back then.
        let run: @Sendable (Database) throws -> @Sendable () -> Void
        let fail: @Sendable (StoreError) -> Void
    }

    /// - Parameters:
    ///   - pool: Whose writing connection is used.
    ///   - begin: Called when a transaction begins, so that what is known of one that was rolled back is forgotten.
    init(pool: DatabasePool, begin: @escaping @Sendable () -> Void) {
        self.pool = pool
        self.begin = begin
    }

    /// Runs `transaction` whole or not at all.
    ///
    /// - Throws: `StoreError`; nothing of it is kept, unless its kind says otherwise.
    func write<Value: Sendable>(
        _ transaction: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        guard !Task.isCancelled else { throw StoreError(.unavailable) }
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
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
        case .refuse: write.fail(StoreError(.unavailable))
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
                // It takes the write lock at its start, so what a verb reads still holds when it writes.
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
            let failure = StoreError(error)
            // A locked file or a full disk is the same for all.
            guard hasVerbFailed, !failure.kind.mayPass, group.count > 1 else {
                for write in group { write.fail(failure) }
                return
            }
            for write in group { commit([write]) }
        }
    }
}
