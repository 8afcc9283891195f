import NightlatchJourney

/// Counts the calls that wait for an operation on tokens.
struct QueuedCalls: Sendable {
    private let calls = AsyncStream<Void>.makeStream()

    func observe(_ config: OidcClientConfig) {
        config.isQueued = { [calls] in calls.continuation.yield() }
    }

    /// Returns when `count` more calls have joined or started an operation.
    func wait(for count: Int) async {
        var left = count
        guard left > 0 else { return }
        for await _ in calls.stream {
            left -= 1
            if left == 0 { return }
        }
    }
}
