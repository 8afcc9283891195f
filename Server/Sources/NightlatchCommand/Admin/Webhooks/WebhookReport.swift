import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// A webhook in the output of `--json`. It contains no sealed secret.
struct WebhookReport: Encodable {
    let stored: StoredWebhook
    var figures: WebhookFigures?
    /// The text for the receiver: the secret, or the public key.
    var forReceiver: String?

    init(_ stored: StoredWebhook, figures: WebhookFigures? = nil, forReceiver: String? = nil) {
        self.stored = stored
        self.figures = figures
        self.forReceiver = forReceiver
    }

    var waiting: String { Self.text(figures?.waiting ?? 0) }
    var dead: String { Self.text(figures?.dead ?? 0) }

    private static func text(_ count: Int) -> String {
        count < WebhookFigures.countLimit ? String(count) : "\(count) or more"
    }

    func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("created_at", stored.webhook.createdAt)
        if let figures { try members.add("dead", figures.dead) }
        try members.add("events", stored.webhook.kindNames ?? ["all"])
        try members.add("id", stored.webhook.id)
        if let forReceiver { try members.add("key", forReceiver) }
        try members.add("name", stored.webhook.name)
        if let oldest = figures?.oldest { try members.add("oldest_waiting_at", oldest) }
        try members.add("public_keys", stored.webhook.secrets.compactMap(\.publicKey))
        try members.add("revision", stored.revision)
        try members.add("signature", stored.webhook.signature)
        try members.add("state", stored.webhook.state)
        try members.add("url", stored.webhook.url)
        if let figures { try members.add("waiting", figures.waiting) }
    }

    /// Prints the webhook, and the key for its receiver if it has just got one.
    func print(asJSON: Bool) {
        if asJSON { return printJSON() }
        let webhook = stored.webhook
        var table = Table("MEMBER", "VALUE")
        table.add("id", webhook.id.rawValue)
        table.add("name", webhook.name.rawValue)
        table.add("url", webhook.url.rawValue)
        table.add("events", webhook.events)
        table.add("signature", webhook.signature.rawValue)
        for key in webhook.secrets.compactMap(\.publicKey) { table.add("public_key", key) }
        table.add("state", webhook.state)
        table.add("revision", String(stored.revision))
        if let forReceiver, webhook.signature == .hmac { table.add("secret", forReceiver) }
        table.print()
        if forReceiver != nil, webhook.signature == .hmac {
            StandardStream.writeLine("The secret is not shown again: keep it now.", to: .standardError)
        }
    }
}

/// A delivery in the output of `--json`.
struct WebhookDeliveryReport: Encodable {
    let delivery: WebhookDelivery

    func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("attempts", delivery.attempts)
        try members.add("created_at", delivery.createdAt)
        if let diedAt = delivery.diedAt { try members.add("died_at", diedAt) }
        try members.add("due_at", delivery.dueAt)
        if let failure = delivery.failure { try members.add("failure", failure.rawValue) }
        try members.add("number", delivery.number)
        try members.add("webhook_id", WebhookMessage.id(at: delivery.place))
    }
}

extension Webhook {
    /// The state in tables.
    var state: String {
        switch pause {
        case nil: "active"
        case .byOperator: "paused"
        case .gone: "paused (410)"
        }
    }

    /// The kinds of event in tables.
    var events: String { kinds.map { $0.map(\.rawValue).sorted().joined(separator: ", ") } ?? "all" }
}
