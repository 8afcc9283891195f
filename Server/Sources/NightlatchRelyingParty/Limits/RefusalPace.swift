import NightlatchWire

/// Answers refusals of signatures at even times: a whole number of steps after the request was looked at.
///
/// What such a refusal costs depends on what the store has: a row that is found is read, and a key is tried whose
/// numbers nobody else knows. These microseconds would tell users, devices and keys. A step hides them where it is
/// longer than the work. Work that takes longer, with a slow store or with very many keys, is answered at a later step,
/// and that can show.
package struct RefusalPace: Sendable {
    package let step: Duration

    package init(step: Duration) {
        self.step = step
    }

    /// Runs `work`. A message that is refused is answered at the next step.
    func keep<Value>(_ work: () async throws(Refusal) -> Value) async throws(Refusal) -> Value {
        let start = ContinuousClock.now
        do {
            return try await work()
        } catch {
            if case .messageRefused = error { await rest(since: start) }
            throw error
        }
    }

    /// Waits for the next step.
    func rest(since start: ContinuousClock.Instant) async {
        let now = ContinuousClock.now
        // It throws only when it is cancelled: the caller has gone away, and measures nothing.
        try? await Task.sleep(until: now + rest(after: now - start), clock: .continuous)
    }

    /// How long it is to the next step once `time` has passed.
    package func rest(after time: Duration) -> Duration {
        guard step > .zero else { return .zero }
        return step * Int((time / step).rounded(.up)) - time
    }
}
