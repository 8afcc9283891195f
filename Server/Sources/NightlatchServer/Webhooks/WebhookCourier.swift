import NightlatchRelyingParty
import NightlatchWire

/// Makes one attempt to deliver an event: signs it, posts it, and decides what the answer means.
struct WebhookCourier: Sendable {
    let masterKey: MasterKey
    let transport: any WebhookTransport
    let clock: WallClock
    let jitter: @Sendable () -> Double

    func attempt(_ claimed: WebhookClaim.Claimed, for webhook: Webhook) async -> WebhookResult {
        if let failure = await failure(of: claimed, for: webhook) {
            // What a receiver that is gone missed is sent when it is resumed.
            let attempts = failure == .gone ? 1 : claimed.delivery.attempts
            return .failed(failure, wait: WebhookRetry.wait(after: attempts, jitter: jitter()))
        }
        return .delivered
    }

    private func failure(of claimed: WebhookClaim.Claimed, for webhook: Webhook) async -> WebhookFailure? {
        guard let entry = claimed.row.flatMap(AuditEntry.init) else { return .unreadable }
        let message = WebhookMessage(entry)
        let now = clock.now()
        let signing = webhook.secrets.filter { $0.signs(at: now) }
        let secrets = signing.compactMap { WebhookSecret($0, webhook.signature, of: webhook.id, under: masterKey) }
        guard secrets.count == signing.count, let headers = message.headers(signedBy: secrets, at: now) else {
            return .secretSealed
        }
        return await transport.post(message.body, to: webhook.url, headers: headers).failure
    }
}
