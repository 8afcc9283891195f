import Dispatch
import NightlatchRelyingParty
import Synchronization

/// The queue of jobs that wait for a thread with a connection, in the order of arrival.
final class PostgresJobs: Sendable {
    /// The maximum number of waiting jobs. Further ones would wait longer than any caller does.
    private static let limit = 4096
    /// The longest time that a job may wait.
    private static let waitLimit: Duration = .seconds(5)

    struct Job: Sendable {
        let run: @Sendable (PostgresWorker) -> Void
        let refuse: @Sendable (RelyingPartyStoreError) -> Void
        /// The time at which the job's wait ends; nil for no limit.
        let deadline: ContinuousClock.Instant?
    }

    /// Returns the deadline of a job that is added now.
    static func deadline() -> ContinuousClock.Instant { .now + waitLimit }

    private struct State {
        var waiting: [Job] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Counts the waiting jobs. Closing the queue adds one for each thread.
    private let signal = DispatchSemaphore(value: 0)

    /// Adds a job at the end, or refuses it.
    func add(_ job: Job) {
        let isTaken = state.withLock { state in
            guard !state.isClosed, state.waiting.count < Self.limit else { return false }
            state.waiting.append(job)
            return true
        }
        if isTaken { signal.signal() } else { job.refuse(RelyingPartyStoreError(.unavailable)) }
    }

    /// Puts back a job that was taken before, even if the queue is closed.
    func addAgain(_ job: Job) {
        state.withLock { $0.waiting.append(job) }
        signal.signal()
    }

    /// Adds a job at the end if others wait.
    ///
    /// Returns false if no other job waits or the queue is closed. The caller then continues without adding the job.
    func giveWay(to job: Job) -> Bool {
        let isTaken = state.withLock { state in
            guard !state.isClosed, !state.waiting.isEmpty else { return false }
            state.waiting.append(job)
            return true
        }
        if isTaken { signal.signal() }
        return isTaken
    }

    /// Whether the queue accepts no more jobs.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Waits for the next job. Returns nil after the queue was closed and emptied. Refuses a job that has waited too
    /// long.
    func next() -> Job? {
        // Ends: with a job to run, or when the queue is empty; each iteration takes one job.
        while true {
            signal.wait()
            let job = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
            guard let job else { return nil }
            if job.deadline.map({ ContinuousClock.now < $0 }) ?? true { return job }
            job.refuse(RelyingPartyStoreError(.unavailable))
        }
    }

    /// Closes the queue. Waiting jobs still run; after them, ``next()`` returns nil once for each of `threadCount`
    /// threads.
    func close(threadCount: Int) {
        state.withLock { $0.isClosed = true }
        for _ in 0..<threadCount { signal.signal() }
    }
}
