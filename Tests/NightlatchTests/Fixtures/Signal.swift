/// Something that happens once, which another task waits for.
struct Signal: Sendable {
    private let happening = AsyncStream<Never>.makeStream()

    func give() { happening.continuation.finish() }

    func wait() async {
        for await _ in happening.stream {}
    }
}
