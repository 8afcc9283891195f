import Synchronization

/// A clock that advances only when a test says so.
final class SteppedClock: Clock {
    struct Instant: InstantProtocol {
        let offset: Duration

        func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }

        func duration(to other: Self) -> Duration { other.offset - offset }

        static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [(deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = []
    }

    private let state = Mutex(State())

    var now: Instant { state.withLock(\.now) }

    let minimumResolution = Duration.nanoseconds(1)

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled || deadline <= state.now { return true }
                    state.sleepers.append((deadline, continuation))
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            // Wakes all sleepers: in a test all of them are cancelled together.
            for sleeper in wake({ _ in true }) { sleeper.resume(throwing: CancellationError()) }
        }
        try Task.checkCancellation()
    }

    /// Waits until a task sleeps, then advances the clock.
    func pass(_ duration: Duration) async throws {
        while state.withLock(\.sleepers.isEmpty) {
            try Task.checkCancellation()
            await Task.yield()
        }
        let now = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            return state.now
        }
        for sleeper in wake({ $0 <= now }) { sleeper.resume() }
    }

    private func wake(_ isDue: (Instant) -> Bool) -> [CheckedContinuation<Void, any Error>] {
        state.withLock { state in
            let due = state.sleepers.filter { isDue($0.deadline) }.map(\.continuation)
            state.sleepers.removeAll { isDue($0.deadline) }
            return due
        }
    }
}
