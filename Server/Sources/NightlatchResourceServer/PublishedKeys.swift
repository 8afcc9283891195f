import Nightlatch
package import NightlatchWire

/// The keys that a relying party has published, kept for as long as it says.
///
/// They are fetched anew after five minutes, and when a token names a key that is not among them: ten seconds after the last time at the
/// soonest, however many such tokens come. While the relying party does not answer, those that were fetched last are good for an hour,
/// and nobody waits for it whose key is among them.
package actor PublishedKeys {
    private static let life: Duration = .seconds(5 * 60)
    private static let longestLife: Duration = .seconds(60 * 60)
    /// The least time between two requests.
    private static let interval: Duration = .seconds(10)

    private let source: any SigningKeySource
    private let now: @Sendable () -> ContinuousClock.Instant
    private var keys: (set: [KeyID: PublicJWK], fetchedAt: ContinuousClock.Instant)?
    /// When the last fetching ended.
    private var triedAt: ContinuousClock.Instant?
    private var underway: Task<Void, Never>?

    package init(source: any SigningKeySource, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.source = source
        self.now = now
    }

    /// The keys that may serve for a token that names `id`; nil if there are none that can be trusted now.
    package func keys(for id: KeyID?) async -> [PublicJWK]? {
        let isKnown = id.map { keys?.set[$0] != nil } ?? true
        if isOlder(than: Self.life) || !isKnown, let fetching = fetch(), isOlder(than: Self.longestLife) || !isKnown {
            await fetching.value
        }
        return isOlder(than: Self.longestLife) ? nil : keys.map { Array($0.set.values) }
    }

    private func isOlder(than life: Duration) -> Bool {
        keys.map { now() > $0.fetchedAt + life } ?? true
    }

    /// The fetching that is under way, or that is begun now; nil if it is too soon for another.
    private func fetch() -> Task<Void, Never>? {
        if let underway { return underway }
        if let triedAt, now() < triedAt + Self.interval { return nil }
        // Not a part of the request that is the first to ask: if that goes away, others still wait.
        let task = Task { await replace() }
        underway = task
        return task
    }

    private func replace() async {
        defer {
            underway = nil
            triedAt = now()
        }
        do throws(RelyingPartyError) {
            let fetched = try await source.signingKeys()
            let pairs = fetched.keys.map { ($0.key.thumbprint, $0.key) }
            keys = (Dictionary(pairs, uniquingKeysWith: { first, _ in first }), now())
        } catch {
            // Those that were fetched last serve on, and it is tried again.
        }
    }
}
