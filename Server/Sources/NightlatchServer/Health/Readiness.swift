package import NightlatchRelyingParty

/// Whether the store can be read and written. However many ask, the store is asked once a second at most, since its answer costs
/// a write.
package actor Readiness {
    private let life: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let check: @Sendable () async -> StoreError?
    private var verdict: Verdict?
    private var underway: Task<Verdict, Never>?

    private struct Verdict {
        let failure: StoreError?
        let reachedAt: ContinuousClock.Instant
    }

    /// The readiness of `store`, of which a verdict holds for a second.
    package init(of store: some RelyingPartyStore) {
        self.init(
            life: .seconds(1), now: { .now },
            check: {
                do throws(StoreError) {
                    try await store.checkReadiness()
                    return nil
                } catch {
                    return error
                }
            })
    }

    /// - Parameters:
    ///   - life: How long a verdict holds.
    ///   - now: What that is measured by.
    ///   - check: Asks the store; nil if all is well.
    package init(
        life: Duration,
        now: @escaping @Sendable () -> ContinuousClock.Instant,
        check: @escaping @Sendable () async -> StoreError?
    ) {
        self.life = life
        self.now = now
        self.check = check
    }

    /// Returns if the store can be read and written, or could a moment ago.
    package func require() async throws(StoreError) {
        if let failure = await currentVerdict().failure { throw failure }
    }

    private func currentVerdict() async -> Verdict {
        if let verdict, now() < verdict.reachedAt + life { return verdict }
        if let underway { return await underway.value }
        // Not a part of the request that is the first to ask: if that goes away, others still wait.
        let task = Task { [check, now] in Verdict(failure: await check(), reachedAt: now()) }
        underway = task
        let new = await task.value
        verdict = new
        underway = nil
        return new
    }
}
