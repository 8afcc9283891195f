import Nightlatch
package import NightlatchWire

/// A cache of the keys that a relying party has published.
///
/// The keys are fetched again after five minutes, and when a token names an unknown key. Tokens with unknown keys cause
/// at most one fetch in ten seconds. If the relying party does not respond, the keys from the last fetch stay valid for
/// an hour. Until then, a request with a known key does not wait for a fetch.
package actor PublishedKeys {
    private static let life: Duration = .seconds(5 * 60)
    private static let longestLife: Duration = .seconds(60 * 60)
    /// The shortest time between two fetches.
    private static let interval: Duration = .seconds(10)

    private let source: any SigningKeySource
    private let now: @Sendable () -> ContinuousClock.Instant
    private var keys: (set: [KeyID: PublicJWK], fetchedAt: ContinuousClock.Instant)?
    /// The time at which the last fetch ended.
    private var triedAt: ContinuousClock.Instant?
    private var underway: Task<Void, Never>?

    package init(source: any SigningKeySource, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.source = source
        self.now = now
    }

    /// Returns the keys for verifying a token that names `id`; nil if no trusted keys are available now.
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

    /// Returns the fetch in progress, or starts one. Returns nil if the last fetch was too recent.
    private func fetch() -> Task<Void, Never>? {
        if let underway { return underway }
        if let triedAt, now() < triedAt + Self.interval { return nil }
        // A separate task, because other requests may wait for the fetch if the request that started it is cancelled.
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
            // The last fetched keys stay in use, and a later request tries again.
        }
    }
}
