import NightlatchRelyingParty
import Synchronization

/// Collects verbs in groups: while one group runs, the next one fills.
///
/// The cost of a group depends little on its size: two round trips, one thread switch, one commit.
final class PostgresGroups: Sendable {
    /// The maximum size of a group. The first verb of a group waits for its last.
    private static let groupLimit = 64
    /// The maximum number of waiting verbs. Further ones would wait longer than any caller does.
    private static let waitingLimit = 4096

    private struct State {
        var waiting: [PostgresSharedVerb] = []
        /// Whether a thread runs the groups, or a job for it is queued.
        var isRunning = false
    }

    private let jobs: PostgresJobs
    private let isWriting: Bool
    private let state = Mutex(State())

    /// Creates groups that run on the threads of `jobs`.
    ///
    /// - Parameters:
    ///   - jobs: The queue in which groups wait for a thread.
    ///   - writing: Whether the verbs write.
    init(jobs: PostgresJobs, writing: Bool) {
        self.jobs = jobs
        isWriting = writing
    }

    /// Adds a verb to the next group, or refuses it.
    func add(_ verb: PostgresSharedVerb) {
        enum Step { case wait, start, refuse }
        let isClosed = jobs.isClosed
        let step: Step = state.withLock { state in
            guard !isClosed, state.waiting.count < Self.waitingLimit else { return .refuse }
            state.waiting.append(verb)
            defer { state.isRunning = true }
            return state.isRunning ? .wait : .start
        }
        switch step {
        case .wait: break
        case .start: jobs.add(turn)
        case .refuse: verb.fail(RelyingPartyStoreError(.unavailable))
        }
    }

    /// The job that runs the groups. It has no deadline, since each verb has its own.
    private var turn: PostgresJobs.Job {
        PostgresJobs.Job(
            run: { [self] worker in runGroups(on: worker) }, refuse: { [self] error in refuseAll(error) }, deadline: nil
        )
    }

    private func runGroups(on worker: PostgresWorker) {
        while let verbs = nextGroup() {
            let alone = PostgresGroup(verbs: verbs, isWriting: isWriting).run(on: worker)
            for verb in alone { jobs.addAgain(verb.alone(writing: isWriting)) }
            if jobs.giveWay(to: turn) { return }
        }
    }

    /// Takes the verbs that have waited longest, at most one for each key, sorted by key. Refuses those that have
    /// waited too long.
    ///
    /// Returns nil if no verb waits. The next verb that is added then starts a new job.
    private func nextGroup() -> [PostgresSharedVerb]? {
        let now = ContinuousClock.now
        var (group, late): ([PostgresSharedVerb], [PostgresSharedVerb]) = ([], [])
        state.withLock { state in
            var (keys, others): (Set<String>, [PostgresSharedVerb]) = ([], [])
            for verb in state.waiting {
                if verb.deadline <= now {
                    late.append(verb)
                } else if group.count < Self.groupLimit, group.first.map({ $0.time == verb.time }) ?? true,
                    verb.key.map({ keys.insert($0).inserted }) ?? true
                {
                    group.append(verb)
                } else {
                    others.append(verb)
                }
            }
            state = State(waiting: others, isRunning: !group.isEmpty)
        }
        for verb in late { verb.fail(RelyingPartyStoreError(.unavailable)) }
        return group.isEmpty ? nil : group.sorted { $0.key ?? "" < $1.key ?? "" }
    }

    private func refuseAll(_ error: RelyingPartyStoreError) {
        let refused = state.withLock { state in
            defer { state = State() }
            return state.waiting
        }
        for verb in refused { verb.fail(error) }
    }
}
