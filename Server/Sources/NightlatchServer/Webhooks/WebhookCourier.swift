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
            return .failed(failure, wait: wait(after: failure, of: claimed.delivery))
        }
        return .delivered
    }

    private func wait(after failure: WebhookFailure, of delivery: WebhookDelivery) -> Duration? {
        if !failure.isAttempt { return WebhookRetry.unsentWait }
        let attempts: Int
        if failure != .gone {
            attempts = delivery.attempts
        } else {
            // What a receiver that is gone missed is sent when it is resumed.
            attempts = delivery.pausesWebhook(after: .gone) ? 1 : min(delivery.attempts, WebhookRetry.attemptLimit - 1)
        }
        return WebhookRetry.wait(after: attempts, jitter: jitter())
    }

    private func failure(of claimed: WebhookClaim.Claimed, for webhook: Webhook) async -> WebhookFailure? {
        guard let entry = claimed.row.flatMap(AuditEntry.init) else { return .unreadable }
        let message = WebhookMessage(entry)
        let now = clock.now()
        let signing = webhook.secrets.filter { $0.signs(at: now) }
        let secrets = signing.compactMap { WebhookSecret($0, webhook.signature, of: webhook.id, under: masterKey) }
        // One that does not open, because the master key was changed or lost, stops nothing that another one can sign.
        guard let headers = message.headers(signedBy: secrets, at: now) else {
            return .secretSealed
        }
        return await transport.post(message.body, to: webhook.url, headers: headers).failure
    }
}
