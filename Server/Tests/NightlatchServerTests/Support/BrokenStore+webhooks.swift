import NightlatchRelyingParty
import NightlatchWire

extension BrokenStore {
    func webhooks() async throws(RelyingPartyStoreError) -> [StoredWebhook] { try await reading.webhooks() }

    func putWebhook(
        _ webhook: Webhook, replacing revision: Int?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> WebhookChangeOutcome { throw failure }

    func removeWebhook(_ id: WebhookID, by actor: ActingParty) async throws(RelyingPartyStoreError) -> Bool {
        throw failure
    }

    func testWebhook(_ id: WebhookID, by actor: ActingParty) async throws(RelyingPartyStoreError) -> Bool {
        throw failure
    }

    func dueWebhooks() async throws(RelyingPartyStoreError) -> [WebhookID] { try await reading.dueWebhooks() }

    func claimDeliveries(
        of id: WebhookID, limit: Int, lease: Duration
    ) async throws(RelyingPartyStoreError) -> WebhookClaim? { throw failure }

    func finishDelivery(
        _ delivery: WebhookDelivery, _ result: WebhookResult
    ) async throws(RelyingPartyStoreError) -> Bool { throw failure }

    func deliveries(
        of id: WebhookID, areDead: Bool, after number: Int?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [WebhookDelivery] {
        try await reading.deliveries(of: id, areDead: areDead, after: number, limit: limit)
    }

    func changeDeadLetters(
        _ change: DeadLetterChange, of id: WebhookID, number: Int?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> Int { throw failure }

    func webhookFigures(of id: WebhookID) async throws(RelyingPartyStoreError) -> WebhookFigures {
        try await reading.webhookFigures(of: id)
    }
}
