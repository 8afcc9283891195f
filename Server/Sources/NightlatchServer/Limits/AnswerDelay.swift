/// Delays the answer to a request beyond a limit.
///
/// A client that always waits for an answer then sends a few requests a second instead of a few thousand. This matters
/// because refusing a request also costs processor time.
package struct AnswerDelay: Sendable {
    private let duration: Duration
    private let clock: any Clock<Duration>

    /// Creates a delay.
    ///
    /// - Parameter duration: How long an answer is delayed; zero for no delay.
    package init(_ duration: Duration, by clock: any Clock<Duration> = .continuous) {
        self.duration = duration
        self.clock = clock
    }

    /// Waits for the delay. Returns at once if the task is cancelled, because the connection is closed or the server
    /// stops.
    func pass() async {
        guard duration > .zero else { return }
        // `sleep` throws only when the task is cancelled.
        try? await clock.sleep(for: duration)
    }
}
