package import NightlatchRelyingParty

/// Reports whether the store can be read and written.
///
/// The store is checked at most once a second, however many requests ask, since a check costs a write.
package actor Readiness {
    private let life: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let check: @Sendable () async -> RelyingPartyStoreError?
    private var verdict: Verdict?
    private var underway: Task<Verdict, Never>?

    private struct Verdict {
        let failure: RelyingPartyStoreError?
        let reachedAt: ContinuousClock.Instant
    }

    /// Creates the readiness of `store`. A verdict is valid for a second.
    ///
    /// - Parameter keyring: The master keys. A process is not ready if the store seals under another one.
    package init(of store: some RelyingPartyStore, keyring: MasterKeyring? = nil) {
        self.init(
            life: .seconds(1), now: { .now },
            check: {
                if keyring?.isReplaced ?? false { return RelyingPartyStoreError(.unavailable) }
                do throws(RelyingPartyStoreError) {
                    try await store.checkReadiness()
                    return nil
                } catch {
                    return error
                }
            })
    }

    /// Creates the readiness of a store that `check` examines.
    ///
    /// - Parameters:
    ///   - life: How long a verdict is valid.
    ///   - now: The clock for `life`.
    ///   - check: Checks the store; returns nil on success.
    package init(
        life: Duration,
        now: @escaping @Sendable () -> ContinuousClock.Instant,
        check: @escaping @Sendable () async -> RelyingPartyStoreError?
    ) {
        self.life = life
        self.now = now
        self.check = check
    }

    /// Returns if the store could be read and written at the last check.
    ///
    /// - Throws: The store's error at the last check.
    package func require() async throws(RelyingPartyStoreError) {
        if let failure = await currentVerdict().failure { throw failure }
    }

    private func currentVerdict() async -> Verdict {
        if let verdict, now() < verdict.reachedAt + life { return verdict }
        if let underway { return await underway.value }
        // The check runs in a separate task: if the first request is cancelled, the other requests still get the
        // verdict.
        let task = Task { [check, now] in Verdict(failure: await check(), reachedAt: now()) }
        underway = task
        let new = await task.value
        verdict = new
        underway = nil
        return new
    }
}
