import Dispatch
import NightlatchRelyingParty
import Synchronization

/// What waits for a thread with a connection, in the order in which it came.
final class PostgresJobs: Sendable {
    /// How many may wait. More would wait for longer than anybody does.
    private static let limit = 4096
    /// How long one may wait.
    private static let waitLimit: Duration = .seconds(5)

    struct Job: Sendable {
        let run: @Sendable (PostgresWorker) -> Void
        let refuse: @Sendable (StoreError) -> Void
        /// Until when it may wait; nil for as long as it must.
        let deadline: ContinuousClock.Instant?
    }

    /// Until when may wait what comes now.
    static func deadline() -> ContinuousClock.Instant { .now + waitLimit }

    private struct State {
        var waiting: [Job] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Counts the jobs that wait, and, once it is closed, one for each thread.
    private let signal = DispatchSemaphore(value: 0)

    /// Puts a job at the end, or refuses it.
    func add(_ job: Job) {
        let isTaken = state.withLock { state in
            guard !state.isClosed, state.waiting.count < Self.limit else { return false }
            state.waiting.append(job)
            return true
        }
        if isTaken { signal.signal() } else { job.refuse(StoreError(.unavailable)) }
    }

    /// Puts back what was taken before, also when no more is taken.
    func addAgain(_ job: Job) {
        state.withLock { $0.waiting.append(job) }
        signal.signal()
    }

    /// Puts a job at the end if others wait; false if none do, or no more are taken: then who asks goes on itself.
    func giveWay(to job: Job) -> Bool {
        let isTaken = state.withLock { state in
            guard !state.isClosed, !state.waiting.isEmpty else { return false }
            state.waiting.append(job)
            return true
        }
        if isTaken { signal.signal() }
        return isTaken
    }

    /// Whether no more is taken.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// The next job, waited for; nil when there is none and there will be no more. One that has waited for too long is refused.
    func next() -> Job? {
        // Ends: with the job that is taken, or when there are no more; each round takes one.
        while true {
            signal.wait()
            let job = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
            guard let job else { return nil }
            if job.deadline.map({ ContinuousClock.now < $0 }) ?? true { return job }
            job.refuse(StoreError(.unavailable))
        }
    }

    /// Takes no more jobs; those that wait are done. Each of `threadCount` threads gets nil in the end.
    func close(threadCount: Int) {
        state.withLock { $0.isClosed = true }
        for _ in 0..<threadCount { signal.signal() }
    }
}
