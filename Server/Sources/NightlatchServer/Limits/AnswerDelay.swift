/// Keeps back the answer to a request beyond a limit.
///
/// A client that asks again as soon as it is answered then asks a few times a second, and not some thousand times:
/// refusing costs time as well.
package struct AnswerDelay: Sendable {
    private let duration: Duration
    private let clock: any Clock<Duration>

    /// - Parameter duration: How long an answer is kept back; zero for not at all.
    package init(_ duration: Duration, by clock: any Clock<Duration> = .continuous) {
        self.duration = duration
        self.clock = clock
    }

    /// Returns when the time has passed, or at once when the task is cancelled: the connection is closed, or the server
    /// stops.
    func pass() async {
        guard duration > .zero else { return }
        // It throws only when it is cancelled.
        try? await clock.sleep(for: duration)
    }
}
