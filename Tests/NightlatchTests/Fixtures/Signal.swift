/// An event that happens once, for another task to wait for.
struct Signal: Sendable {
    private let happening = AsyncStream<Never>.makeStream()

    func give() { happening.continuation.finish() }

    func wait() async {
        for await _ in happening.stream {}
    }
}
