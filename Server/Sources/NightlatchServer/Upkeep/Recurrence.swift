/// When work that a relying party does by itself is due again: after the same time, until it is asked to stop.
package struct Recurrence: Sendable {
    private let interval: Duration
    private let clock: any Clock<Duration>

    package init(every interval: Duration, by clock: any Clock<Duration> = .continuous) {
        self.interval = interval
        self.clock = clock
    }

    /// Waits for the time to pass.
    ///
    /// - Returns: Whether the work is due; not if the task was cancelled.
    func isDue() async -> Bool {
        do {
            try await clock.sleep(for: interval)
            return true
        } catch {
            return false
        }
    }
}
