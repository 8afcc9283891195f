public import Nightlatch

/// A continuous clock that only a test moves. Copies of the value share its time.
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

    /// Creates a clock.
    ///
    /// - Parameters:
    ///   - uptime: The time since the device was started.
    ///   - tellsBoots: Whether ``boot`` identifies the start of the device.
    public init(uptime: Duration = .seconds(3600), tellsBoots: Bool = true) {
        state = Shared(State(time: uptime))
        self.tellsBoots = tellsBoots
    }

    public func continuousTime() -> Duration {
        state.withLock { $0.time }
    }

    /// Identifies the start of the device. All clocks have the same value for the first start.
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

    /// The number of tasks that sleep until a later time.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    public func advance(by duration: Duration) {
        state.withLock { $0.time += duration }
        wake()
    }

    /// Simulates a restart of the device, `uptime` ago.
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
