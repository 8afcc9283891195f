import NightlatchWire

/// Delays refusals of signatures to a whole number of steps after the work began.
///
/// The work of such a refusal depends on the store's content: a row is found and read, and a key is tried that only the
/// relying party knows. The difference of microseconds would reveal users, devices and keys. A step hides it as long as
/// the step is longer than the work. If the work takes longer, with a slow store or very many keys, the response comes
/// at a later step, which may be visible.
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
        // Throws only on cancellation: the caller has disconnected, and measures no time.
        try? await Task.sleep(until: now + rest(after: now - start), clock: .continuous)
    }

    /// The time until the next step once `time` has passed.
    package func rest(after time: Duration) -> Duration {
        guard step > .zero else { return .zero }
        return step * Int((time / step).rounded(.up)) - time
    }
}
