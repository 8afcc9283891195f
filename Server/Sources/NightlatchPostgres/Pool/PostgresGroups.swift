import NightlatchRelyingParty
import Synchronization

/// Collects verbs in groups: while a group runs, the next one fills.
///
/// One group of reads runs at a time, and at most two groups of writes: while one is written to disk, the other reads.
///
/// The cost of a group depends little on its size: two round trips, one thread switch, one commit.
final class PostgresGroups: Sendable {
    /// The maximum size of a group. The first verb of a group waits for its last.
    private static let groupLimit = 64
    /// The number of verbs that must wait before a group begins while another one runs. Smaller groups cost more
    /// processor time for each verb.
    private static let secondGroupSize = 4
    /// The maximum number of waiting verbs. Further ones would wait longer than any caller does.
    private static let waitingLimit = 4096

    private struct State {
        var waiting: [PostgresSharedVerb] = []
        /// The number of threads that run groups, and of queued jobs that will.
        var runningCount = 0
        /// The keys of the groups that run now.
        var runningKeys: Set<String> = []

        /// Whether enough verbs wait for a group beside another one.
        var isEnoughForSecondGroup: Bool { waiting.count >= PostgresGroups.secondGroupSize }
    }

    private let jobs: PostgresJobs
    private let isWriting: Bool
    /// The maximum number of groups that run at the same time.
    private let runningLimit: Int
    private let state = Mutex(State())

    /// Creates groups that run on the threads of `jobs`.
    ///
    /// - Parameters:
    ///   - jobs: The queue in which groups wait for a thread.
    ///   - writing: Whether the verbs write.
    init(jobs: PostgresJobs, writing: Bool) {
        self.jobs = jobs
        isWriting = writing
        runningLimit = writing ? 2 : 1
    }

    /// Adds a verb to the next group, or refuses it.
    func add(_ verb: PostgresSharedVerb) {
        enum Step { case wait, start, refuse }
        let isClosed = jobs.isClosed
        let step: Step = state.withLock { state in
            guard !isClosed, state.waiting.count < Self.waitingLimit else { return .refuse }
            state.waiting.append(verb)
            guard state.runningCount == 0 || state.runningCount < runningLimit && state.isEnoughForSecondGroup else {
                return .wait
            }
            state.runningCount += 1
            return .start
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
            state.withLock { state in state.runningKeys.subtract(verbs.compactMap(\.key)) }
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
            guard state.runningCount == 1 || state.isEnoughForSecondGroup else {
                // The other thread takes the waiting verbs after its group.
                state.runningCount -= 1
                return
            }
            var others: [PostgresSharedVerb] = []
            for verb in state.waiting {
                if verb.deadline <= now {
                    late.append(verb)
                } else if group.count < Self.groupLimit, group.first.map({ $0.time == verb.time }) ?? true,
                    verb.key.map({ state.runningKeys.insert($0).inserted }) ?? true
                {
                    group.append(verb)
                } else {
                    others.append(verb)
                }
            }
            state.waiting = others
            if group.isEmpty { state.runningCount -= 1 }
        }
        for verb in late { verb.fail(RelyingPartyStoreError(.unavailable)) }
        return group.isEmpty ? nil : group.sorted { $0.key ?? "" < $1.key ?? "" }
    }

    private func refuseAll(_ error: RelyingPartyStoreError) {
        let refused = state.withLock { state -> [PostgresSharedVerb] in
            state.runningCount -= 1
            // Another thread takes the waiting verbs after its group.
            guard state.runningCount == 0 else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for verb in refused { verb.fail(error) }
    }
}
