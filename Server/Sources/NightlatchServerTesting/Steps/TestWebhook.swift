package import NightlatchRelyingParty
import NightlatchWire
import Testing

/// Webhooks for tests. Their secrets are sealed under ``masterKey``.
package enum TestWebhook {
    package static let masterKey = MasterKey.random()
    package static let lease: Duration = .seconds(30)

    package static func name(_ text: String = "Shop") throws -> WebhookName {
        try #require(WebhookName(rawValue: text))
    }

    package static func url(_ text: String = "https://shop.example/events") throws -> WebhookURL {
        try #require(WebhookURL(rawValue: text))
    }

    /// Makes a webhook that gets events of `kinds`; nil for all.
    package static func new(
        _ kinds: Set<AuditEvent.Kind>? = nil, signature: WebhookSignature = .hmac
    ) throws -> Webhook {
        let request = WebhookRequest(name: try name(), url: try url(), kinds: kinds, signature: signature)
        return try #require(request.webhook(under: masterKey, at: TestTime.current)).webhook
    }
}

extension RelyingPartyStore {
    /// Adds a webhook that gets events of `kinds`; nil for all.
    package func newWebhook(_ kinds: Set<AuditEvent.Kind>? = nil) async throws -> Webhook {
        let webhook = try TestWebhook.new(kinds)
        guard case .stored = try await putWebhook(webhook, replacing: nil, by: .operator) else {
            throw StepFailed(outcome: "no webhook")
        }
        return webhook
    }

    /// Claims deliveries with the usual lease; none if the store has nothing to claim.
    package func claim(_ webhook: Webhook, limit: Int = 100) async throws -> [WebhookClaim.Claimed] {
        try await claimDeliveries(of: webhook.id, limit: limit, lease: TestWebhook.lease)?.deliveries ?? []
    }

    /// Claims and delivers until nothing is due, and returns the events in the order of their delivery.
    package func deliverAll(_ webhook: Webhook) async throws -> [AuditEvent] {
        var events: [AuditEvent] = []
        // Ends: each turn deletes deliveries.
        while true {
            let claimed = try await claim(webhook)
            if claimed.isEmpty { return events }
            for claim in claimed {
                events.append(try #require(claim.row.flatMap(AuditEntry.init)).event)
                #expect(try await finishDelivery(claim.delivery, .delivered))
            }
        }
    }

    /// All deliveries that wait, in their order.
    package func waiting(for webhook: Webhook) async throws -> [WebhookDelivery] {
        try await deliveries(of: webhook.id, areDead: false, after: nil, limit: 1000)
    }
}
