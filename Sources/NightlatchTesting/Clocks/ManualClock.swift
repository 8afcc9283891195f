public import Nightlatch

/// A continuous clock that only a test moves. Copies of the value share it.
public struct ManualClock: LockoutClock {
    private struct State {
        var time: Duration
        var sleepers: [Int: Sleeper] = [:]
        var nextSleeper = 0
    }

    private struct Sleeper {
        let deadline: Duration
        let continuation: AsyncStream<Void>.Continuation
    }

    private let state: Shared<State>

    /// - Parameter uptime: How long the device has been running.
    public init(uptime: Duration = .seconds(3600)) {
        state = Shared(State(time: uptime))
    }

    public func continuousTime() -> Duration {
        state.withLock { $0.time }
    }

    public func sleep(until deadline: Duration) async throws(CancellationError) {
        let (waking, continuation) = AsyncStream<Void>.makeStream()
        let sleeper = state.withLock { state in
            state.nextSleeper += 1
            state.sleepers[state.nextSleeper] = Sleeper(deadline: deadline, continuation: continuation)
            return state.nextSleeper
        }
        wake()
        for await _ in waking {}
        _ = state.withLock { $0.sleepers.removeValue(forKey: sleeper) }
        if Task.isCancelled { throw CancellationError() }
    }

    /// How many tasks sleep until a time that has not come yet.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    public func advance(by duration: Duration) {
        state.withLock { $0.time += duration }
        wake()
    }

    /// The device was started again, and has run for `uptime` since.
    public func reboot(uptime: Duration = .zero) {
        state.withLock { $0.time = uptime }
        wake()
    }

    private func wake() {
        let due = state.withLock { state in
            let due = state.sleepers.filter { $0.value.deadline <= state.time }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.finish() }
    }
}
