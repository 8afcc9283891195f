public import Nightlatch

/// A continuous clock that only a test moves. Copies of the value share it.
public struct ManualClock: LockoutClock {
    private struct State {
        var time: Duration
        var bootCount = 0
        var sleepers: [Int: Sleeper] = [:]
        var nextSleeper = 0
    }

    private struct Sleeper {
        let deadline: Duration
        let continuation: AsyncStream<Void>.Continuation
    }

    private let state: Shared<State>
    private let tellsBoots: Bool

    /// - Parameters:
    ///   - uptime: How long the device has been running.
    ///   - tellsBoots: Whether ``boot`` tells one start of the device from another.
    public init(uptime: Duration = .seconds(3600), tellsBoots: Bool = true) {
        state = Shared(State(time: uptime))
        self.tellsBoots = tellsBoots
    }

    public func continuousTime() -> Duration {
        state.withLock { $0.time }
    }

    /// The first start has the same one in all clocks.
    public var boot: BootID? {
        tellsBoots ? BootID("boot \(state.withLock { $0.bootCount })") : nil
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
        state.withLock { state in
            state.time = uptime
            state.bootCount += 1
        }
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
