/// The interval at which a relying party repeats background work until it stops.
package struct Recurrence: Sendable {
    private let interval: Duration
    private let clock: any Clock<Duration>

    package init(every interval: Duration, by clock: any Clock<Duration> = .continuous) {
        self.interval = interval
        self.clock = clock
    }

    /// Waits for one interval.
    ///
    /// - Returns: True if the work is due; false if the task was cancelled.
    func isDue() async -> Bool {
        do {
            try await clock.sleep(for: interval)
            return true
        } catch {
            return false
        }
    }
}
