import NightlatchWire

/// Delays a refusal of a signature, so that the time since the work began is a whole number of steps.
///
/// The work of such a refusal depends on the content of the store: the relying party finds and reads a row, and tries a
/// key that only it knows. The time of the work would therefore differ by microseconds and reveal users, devices and
/// keys. The delay hides the difference as long as a step is longer than the work. If the work takes longer, because
/// the store is slow or the user has very many keys, the response is sent at a later step, and an attacker may notice
/// that.
package struct RefusalPace: Sendable {
    package let step: Duration

    package init(step: Duration) {
        self.step = step
    }

    /// Runs `work`. A refusal of a message is delayed to the next step.
    func keep<Value>(_ work: () async throws(Refusal) -> Value) async throws(Refusal) -> Value {
        let start = ContinuousClock.now
        do {
            return try await work()
        } catch {
            if case .messageRefused = error { await rest(since: start) }
            throw error
        }
    }

    /// Waits until the next step.
    func rest(since start: ContinuousClock.Instant) async {
        let now = ContinuousClock.now
        // Throws only on cancellation: the client has disconnected, so it cannot measure the time.
        try? await Task.sleep(until: now + rest(after: now - start), clock: .continuous)
    }

    /// Returns the time until the next step if `time` has passed since the work began.
    package func rest(after time: Duration) -> Duration {
        guard step > .zero else { return .zero }
        return step * Int((time / step).rounded(.up)) - time
    }
}
