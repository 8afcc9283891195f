import Dispatch
import Foundation
import NightlatchRelyingParty
import NightlatchWire
import Synchronization

/// Threads with a connection each. libpq blocks its thread, so it never runs on a thread of Swift's cooperative pool.
final class PostgresPool: Sendable {
    private let jobs = PostgresJobs()
    private let readingGroups: PostgresGroups
    private let writingGroups: PostgresGroups
    private let threads = DispatchGroup()
    private let size: Int
    private let isClosed = Mutex(false)

    /// Starts `size` threads. Each connects when it runs its first job.
    init(size: Int, session: PostgresSession) {
        self.size = size
        readingGroups = PostgresGroups(jobs: jobs, writing: false)
        writingGroups = PostgresGroups(jobs: jobs, writing: true)
        for number in 1...size {
            threads.enter()
            let thread = Thread { [jobs, threads] in
                let worker = PostgresWorker(session: session)
                while let job = jobs.next() { job.run(worker) }
                worker.disconnect()
                threads.leave()
            }
            thread.name = "postgres \(number)"
            thread.start()
        }
    }

    deinit { endThreads() }

    /// Runs a verb on one of the threads, in a separate transaction.
    ///
    /// - Parameters:
    ///   - writing: Whether the verb writes.
    ///   - time: The current time; nil for the database's clock.
    ///   - verb: The verb.
    func run<Value: Sendable>(
        writing: Bool,
        time: NumericDate?,
        _ verb: @escaping @Sendable (PostgresTransaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, StoreError>, Never>) in
            let run = { @Sendable (worker: PostgresWorker) in
                continuation.resume(returning: worker.perform(writing: writing, time: time, verb))
            }
            jobs.add(
                PostgresJobs.Job(
                    run: run, refuse: { error in continuation.resume(returning: .failure(error)) },
                    deadline: PostgresJobs.deadline()))
        }.get()
    }

    /// Runs a verb on one of the threads, in a transaction shared with others (``PostgresSharedVerb``).
    ///
    /// - Parameters:
    ///   - writing: Whether the verb writes.
    ///   - time: The current time; nil for the database's clock.
    ///   - key: The key of a resource that only one verb may use; nil for none.
    ///   - ask: Sends statements, and returns a closure that decides by their answers.
    func share<Value: Sendable>(
        writing: Bool,
        time: NumericDate?,
        key: String?,
        _ ask: @escaping @Sendable (PostgresTransaction) throws -> () throws -> Value
    ) async throws(StoreError) -> Value {
        try await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, StoreError>, Never>) in
            let verb = PostgresSharedVerb(
                ask: { transaction in
                    let decide = try ask(transaction)
                    return {
                        let value = try decide()
                        return { continuation.resume(returning: .success(value)) }
                    }
                },
                fail: { error in continuation.resume(returning: .failure(error)) },
                key: key, time: time)
            (writing ? writingGroups : readingGroups).add(verb)
        }.get()
    }

    /// Waits for the queued jobs to finish and closes the connections.
    func close() {
        endThreads()
        threads.wait()
    }

    private func endThreads() {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        if isFirst { jobs.close(threadCount: size) }
    }
}
