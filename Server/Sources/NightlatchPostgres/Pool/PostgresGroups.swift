import Foundation
import NightlatchServer
import Synchronization

/// Verbs that travel in groups: while one group is under way the next one gathers.
///
/// What a group costs hangs little on how many are in it: two trips to the server, two turns of a thread, one commit. A verb that fails
/// is none of the others' affair: the group is rolled back, and each runs again in a transaction of its own.
final class PostgresGroups: Sendable {
    /// How many verbs a group holds at most: the first of them waits for the last.
    private static let groupLimit = 64
    /// How many verbs may wait. More would wait for longer than anybody does.
    private static let waitingLimit = 4096
    /// How long to wait for more after a group of several that commits: where one comes others come, and to force the disk for twice as
    /// many costs the same. After one that came alone nobody waits, nor where the next group is full already.
    private static let gatheringTime: Duration = .milliseconds(6)

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
        let step: Step = state.withLock { state in
            guard state.waiting.count < Self.waitingLimit else { return .refuse }
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

    /// What a thread does for the groups.
    private var turn: PostgresJobs.Job {
        PostgresJobs.Job(run: { [self] worker in runGroups(on: worker) }, refuse: { [self] error in refuseAll(error) })
    }

    private func runGroups(on worker: PostgresWorker) {
        while let group = nextGroup() {
            run(group, on: worker)
            if jobs.giveWay(to: turn) { return }
            if isWriting, group.count > 1, !isGroupFull {
                Thread.sleep(forTimeInterval: Self.gatheringTime / .seconds(1))
            }
        }
    }

    /// Whether as many wait as go into one group.
    private var isGroupFull: Bool { state.withLock { $0.waiting.count >= Self.groupLimit } }

    /// Those who have waited for longest; nil if nobody waits, and the next one to come starts anew.
    private func nextGroup() -> [PostgresSharedVerb]? {
        state.withLock { state in
            guard let first = state.waiting.first else {
                state.isRunning = false
                return nil
            }
            let group = Array(state.waiting.prefix(Self.groupLimit).prefix { $0.time == first.time })
            state.waiting.removeFirst(group.count)
            return group
        }
    }

    private func refuseAll(_ error: StoreError) {
        let refused = state.withLock { state in
            defer { state = State() }
            return state.waiting
        }
        for verb in refused { verb.fail(error) }
    }

    private func run(_ group: [PostgresSharedVerb], on worker: PostgresWorker) {
        if isWriting { StoreInsideMetrics.record(postgresGroupOf: group.count) }
        do {
            let answers = try worker.performOnce(writing: isWriting, shared: true, time: group[0].time) { transaction in
                let decisions = try group.map { verb in try verb.ask(transaction) }
                return try decisions.map { decide in try decide() }
            }
            for answer in answers { answer() }
        } catch PostgresFailure.connectionLost(committing: true) {
            for verb in group { verb.fail(StoreError(.unavailable)) }
        } catch {
            // Whatever it was, nothing was committed. Where one waits, or fails again, the others need not.
            for verb in group { jobs.add(verb.alone(writing: isWriting)) }
        }
    }
}
