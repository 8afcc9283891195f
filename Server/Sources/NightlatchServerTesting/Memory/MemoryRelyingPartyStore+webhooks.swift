public import NightlatchRelyingParty
public import NightlatchWire

extension MemoryRelyingPartyStore {
    public func webhooks() async throws(RelyingPartyStoreError) -> [StoredWebhook] {
        hooks.stored.values.sorted { $0.webhook.id.rawValue < $1.webhook.id.rawValue }
    }

    public func putWebhook(
        _ webhook: Webhook, replacing revision: Int?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> WebhookChangeOutcome {
        let current = hooks.stored[webhook.id]
        let outcome = WebhookChangeOutcome(
            putting: webhook, replacing: revision, current: current, count: hooks.stored.count)
        if case .stored(let new) = outcome, new != current {
            hooks.stored[webhook.id] = new
            append(AuditEvent(put: webhook, replacing: current?.webhook, by: actor))
        }
        return outcome
    }

    public func removeWebhook(_ id: WebhookID, by actor: ActingParty) async throws(RelyingPartyStoreError) -> Bool {
        guard hooks.stored[id] != nil else { return false }
        hooks.remove(id)
        append(AuditEvent(.webhookRemoved, of: id, by: actor))
        return true
    }

    public func testWebhook(_ id: WebhookID, by actor: ActingParty) async throws(RelyingPartyStoreError) -> Bool {
        guard hooks.stored[id] != nil else { return false }
        append(AuditEvent(.webhookTested, of: id, by: actor))
        return true
    }

    public func dueWebhooks() async throws(RelyingPartyStoreError) -> [WebhookID] {
        let now = clock.now()
        return hooks.stored.values.filter { $0.webhook.pause == nil && hooks.isDue($0.webhook.id, at: now) }
            .map(\.webhook.id).sorted { $0.rawValue < $1.rawValue }
    }

    public func claimDeliveries(
        of id: WebhookID, limit: Int, lease: Duration
    ) async throws(RelyingPartyStoreError) -> WebhookClaim? {
        guard let webhook = hooks.stored[id], webhook.webhook.pause == nil else { return nil }
        let now = clock.now()
        let deliveries = hooks.claim(of: id, limit: limit, until: now + lease, at: now)
        guard !deliveries.isEmpty else { return nil }
        return WebhookClaim(
            webhook: webhook,
            deliveries: deliveries.map { delivery in
                WebhookClaim.Claimed(delivery: delivery, row: auditLog.first { $0.place == delivery.place })
            })
    }

    public func finishDelivery(
        _ delivery: WebhookDelivery, _ result: WebhookResult
    ) async throws(RelyingPartyStoreError) -> Bool {
        hooks.finish(delivery, result, at: clock.now())
    }

    public func deliveries(
        of id: WebhookID, areDead: Bool, after number: Int?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [WebhookDelivery] {
        Array(
            hooks.deliveries.lazy.map(\.delivery).filter {
                $0.webhook == id && ($0.diedAt != nil) == areDead && $0.number > number ?? 0
            }.prefix(limit))
    }

    public func changeDeadLetters(
        _ change: DeadLetterChange, of id: WebhookID, number: Int?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> Int {
        let count = hooks.change(change, of: id, number: number, at: clock.now())
        if count > 0 { append(AuditEvent(change.event, of: id, count: count, by: actor)) }
        return count
    }

    public func webhookFigures(of id: WebhookID) async throws(RelyingPartyStoreError) -> WebhookFigures {
        let own = hooks.deliveries.map(\.delivery).filter { $0.webhook == id }
        let waiting = own.filter { $0.diedAt == nil }
        return WebhookFigures(
            waiting: min(waiting.count, WebhookFigures.countLimit),
            dead: min(own.count - waiting.count, WebhookFigures.countLimit), oldest: waiting.first?.createdAt)
    }
}
