import Metrics
import NightlatchRelyingParty
import NightlatchWire
import Synchronization

/// The metrics of webhooks: attempts by result, and the age of the oldest event that waits.
struct WebhookMeters: Sendable {
    private static let interval = Duration.seconds(15)

    private let clock: WallClock
    private let delivered = Counter(.webhookDeliveries, [("result", "delivered")])
    private let retried = Counter(.webhookDeliveries, [("result", "retried")])
    private let dead = Counter(.webhookDeliveries, [("result", "dead")])
    private let oldest = Meter(label: MetricName.webhookOldest.rawValue)
    private let updated = UpdateTime()

    private final class UpdateTime: Sendable {
        let time = Mutex<ContinuousClock.Instant?>(nil)

        /// Returns whether an update is due, and counts it as made.
        func isDue(after interval: Duration) -> Bool {
            time.withLock { time in
                let now = ContinuousClock.now
                if let time, now - time < interval { return false }
                time = now
                return true
            }
        }
    }

    init(clock: WallClock) {
        self.clock = clock
        oldest.set(0)
    }

    func count(_ result: WebhookResult) {
        switch result {
        case .delivered: delivered.increment()
        case .failed(_, .some): retried.increment()
        case .failed(_, nil): dead.increment()
        }
    }

    /// Measures the oldest event of all webhooks that no operator has paused, a few times a minute. If the store
    /// does not answer, the metric keeps its value.
    func update(from store: some RelyingPartyStore) async {
        guard updated.isDue(after: Self.interval) else { return }
        do {
            var first: NumericDate?
            for stored in try await store.webhooks() where stored.webhook.pause != .byOperator {
                let waiting = try await store.deliveries(of: stored.webhook.id, areDead: false, after: nil, limit: 1)
                if let oldest = waiting.first?.createdAt { first = min(first ?? oldest, oldest) }
            }
            oldest.set(first.map { max(0, Int((clock.now() - $0).components.seconds)) } ?? 0)
        } catch {
            // The next look for due deliveries logs an error of the store.
        }
    }
}
