import Nightlatch
package import NightlatchWire

/// The keys that a relying party has published, kept for as long as it says.
///
/// They are fetched anew after five minutes, and when a token names a key that is not among them: every ten seconds at most, however
/// many such tokens come. While the relying party does not answer, those that were fetched last are good for an hour.
package actor PublishedKeys {
    private static let life: Duration = .seconds(5 * 60)
    private static let longestLife: Duration = .seconds(60 * 60)
    /// The least time between two requests.
    private static let interval: Duration = .seconds(10)

    private let source: any SigningKeySource
    private let now: @Sendable () -> ContinuousClock.Instant
    private var keys: (set: [KeyID: PublicJWK], fetchedAt: ContinuousClock.Instant)?
    private var triedAt: ContinuousClock.Instant?
    private var underway: Task<JWKSet?, Never>?

    package init(source: any SigningKeySource, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.source = source
        self.now = now
    }

    /// The keys that may serve for a token that names `id`; nil if there are none that can be trusted now.
    package func keys(for id: KeyID?) async -> [PublicJWK]? {
        let needed = id.map { keys?.set[$0] == nil } ?? false
        if isOlder(than: Self.life) || needed { await fetch() }
        return isOlder(than: Self.longestLife) ? nil : keys.map { Array($0.set.values) }
    }

    private func isOlder(than life: Duration) -> Bool {
        keys.map { now() > $0.fetchedAt + life } ?? true
    }

    private func fetch() async {
        if let underway {
            _ = await underway.value
            return
        }
        if let triedAt, now() < triedAt + Self.interval { return }
        triedAt = now()
        // Not a part of the request that is the first to ask: if that goes away, others still wait.
        let task = Task { [source] () -> JWKSet? in
            do throws(RelyingPartyError) {
                return try await source.signingKeys()
            } catch {
                return nil
            }
        }
        underway = task
        let fetched = await task.value
        underway = nil
        guard let fetched else { return }
        let pairs = fetched.keys.map { ($0.key.thumbprint, $0.key) }
        keys = (Dictionary(pairs, uniquingKeysWith: { first, _ in first }), now())
    }
}
