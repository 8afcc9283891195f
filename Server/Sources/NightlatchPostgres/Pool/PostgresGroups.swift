import NightlatchRelyingParty
import Synchronization

/// Verbs that travel in groups: while one group is under way the next one gathers.
///
/// What a group costs hangs little on how many are in it: two trips to the server, one turn of a thread, one commit.
final class PostgresGroups: Sendable {
    /// How many verbs a group holds at most: the first of them waits for the last.
    private static let groupLimit = 64
    /// How many verbs may wait. More would wait for longer than anybody does.
    private static let waitingLimit = 4096

    private struct State {
        var waiting: [PostgresSharedVerb] = []
        /// Whether a thread works for the groups, or will.
        var isRunning = false
    }

    private let jobs: PostgresJobs
    private let isWriting: Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - jobs: Where the groups wait for a thread.
    ///   - writing: Whether there will be something to commit.
    init(jobs: PostgresJobs, writing: Bool) {
        self.jobs = jobs
        isWriting = writing
    }

    /// Puts a verb among those of the next group, or refuses it.
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
        case .refuse: verb.fail(StoreError(.unavailable))
        }
    }

    /// What a thread does for the groups. It may wait for as long as it must: each verb has a limit of its own.
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

    /// Those who have waited for longest, of each key one, in the order of keys; nil if nobody waits, and the next one to come starts
    /// anew. Those who have waited for too long are refused.
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
        for verb in late { verb.fail(StoreError(.unavailable)) }
        return group.isEmpty ? nil : group.sorted { $0.key ?? "" < $1.key ?? "" }
    }

    private func refuseAll(_ error: StoreError) {
        let refused = state.withLock { state in
            defer { state = State() }
            return state.waiting
        }
        for verb in refused { verb.fail(error) }
    }
}
