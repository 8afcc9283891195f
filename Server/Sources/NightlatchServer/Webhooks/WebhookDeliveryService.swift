package import Logging
import Metrics
package import NightlatchRelyingParty
import NightlatchWire
import ServiceLifecycle
import Synchronization

/// Delivers events to webhooks until it is stopped.
///
/// It looks for due deliveries several times a second. Each webhook is served by one task, so a receiver that does not
/// answer delays no other. When the service stops, attempts that are in progress end without a result. Another process,
/// or the next start, repeats them after their lease.
package struct WebhookDeliveryService<Store: RelyingPartyStore>: Service {
    /// The largest number of deliveries that one webhook gets at the same time.
    private static var batch: Int { 32 }
    /// The time after which another process repeats an attempt. It is longer than an attempt and the record of its
    /// result take.
    private static var lease: Duration { .seconds(30) }

    private let store: Store
    private let masterKey: MasterKey
    private let makeTransport: @Sendable () -> any WebhookTransport
    private let clock: WallClock
    private let jitter: @Sendable () -> Double
    private let recurrence: Recurrence
    private let logger: Logger
    private let meters: WebhookMeters
    private let turn = StoreTurn()

    /// Creates the service. It does nothing before it runs.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - masterKey: The key under which the secrets of webhooks are sealed.
    ///   - transport: Returns the transport of the posts, when the service runs. The service closes it.
    ///   - clock: The clock of the signatures.
    ///   - jitter: Returns a random number from 0 up to 1 for a wait.
    ///   - recurrence: When to look for due deliveries.
    ///   - logger: The log for errors.
    package init(
        store: Store,
        masterKey: MasterKey,
        transport: @escaping @Sendable () -> any WebhookTransport,
        clock: WallClock,
        jitter: @escaping @Sendable () -> Double = { .random(in: 0..<1) },
        recurrence: Recurrence = Recurrence(every: .milliseconds(500)),
        logger: Logger
    ) {
        self.store = store
        self.masterKey = masterKey
        makeTransport = transport
        self.clock = clock
        self.jitter = jitter
        self.recurrence = recurrence
        self.logger = logger
        meters = WebhookMeters(clock: clock)
    }

    package func run() async throws {
        let (underway, transport) = (WebhooksUnderway(), makeTransport())
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                repeat {
                    for id in await due() where underway.begin(id) {
                        group.addTask {
                            await deliver(to: id, over: transport)
                            underway.end(id)
                        }
                    }
                    group.addTask { await meters.update(from: store) }
                } while await recurrence.isDue()
            }
        }
        await transport.close()
    }

    private func due() async -> [WebhookID] {
        do {
            return try await store.dueWebhooks()
        } catch {
            log(error, "Failed to look for events for webhooks")
            return []
        }
    }

    /// Delivers what is due for a webhook, until nothing is.
    package func deliver(to id: WebhookID, over transport: any WebhookTransport) async {
        let courier = WebhookCourier(masterKey: masterKey, transport: transport, clock: clock, jitter: jitter)
        while !Task.isCancelled {
            do {
                let claim = try await turn.use {
                    try await store.claimDeliveries(of: id, limit: Self.batch, lease: Self.lease)
                }
                guard let claim else { return }
                await deliver(claim, by: courier)
            } catch {
                return log(error, "Failed to claim events for a webhook")
            }
        }
    }

    private func deliver(_ claim: WebhookClaim, by courier: WebhookCourier) async {
        await withDiscardingTaskGroup { group in
            for claimed in claim.deliveries {
                group.addTask { await deliver(claimed, to: claim.webhook, by: courier) }
            }
        }
    }

    private func deliver(
        _ claimed: WebhookClaim.Claimed, to webhook: StoredWebhook, by courier: WebhookCourier
    ) async {
        let result = await courier.attempt(claimed, for: webhook.webhook)
        // An attempt that was cancelled has no answer.
        if Task.isCancelled, result != .delivered { return }
        // A separate task: if the service is stopped now, the result is recorded nevertheless.
        await Task {
            do {
                try await turn.use {
                    if try await store.finishDelivery(claimed.delivery, result) { meters.count(result) }
                    if case .failed(let failure, _) = result, claimed.delivery.pausesWebhook(after: failure) {
                        try await pause(webhook)
                    }
                }
            } catch {
                // The attempt is repeated after its lease.
                log(error, "Failed to record the delivery of an event")
            }
        }.value
        if case .failed(let failure, let wait) = result {
            logger.log(
                level: wait == nil ? .error : .info,
                wait == nil ? "An event for a webhook is a dead letter" : "Failed to deliver an event to a webhook",
                metadata: [
                    "webhook": .string(webhook.webhook.id.rawValue), "reason": .string(failure.rawValue),
                    "attempts": .stringConvertible(claimed.delivery.attempts),
                ])
        }
    }

    /// Pauses a webhook whose receiver is gone. If it was changed since it was claimed, it stays as it is.
    private func pause(_ stored: StoredWebhook) async throws(RelyingPartyStoreError) {
        var webhook = stored.webhook
        webhook.pause = .gone
        if case .stored = try await store.putWebhook(webhook, replacing: stored.revision, by: .server) {
            logger.error(
                "Paused a webhook whose receiver answered 410",
                metadata: ["webhook": .string(webhook.id.rawValue)])
        }
    }

    private func log(_ error: any Error, _ complaint: Logger.Message) {
        guard !Task.isCancelled else { return }
        logger.error(complaint, metadata: ["reason": .string("\(error)")])
    }
}

/// The webhooks that a task of this process serves.
private final class WebhooksUnderway: Sendable {
    private let ids = Mutex<Set<WebhookID>>([])

    /// Returns whether no task serves the webhook yet.
    func begin(_ id: WebhookID) -> Bool { ids.withLock { $0.insert(id).inserted } }

    func end(_ id: WebhookID) { ids.withLock { _ = $0.remove(id) } }
}
