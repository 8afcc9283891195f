import Hummingbird
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

extension ConsoleRoutes {
    /// The largest number of dead letters on the page of a webhook. The command lists all.
    private static let deadLetterLimit = 50

    func addWebhooks(to routes: RouteGroup) {
        page(.webhooks, on: routes) { _ throws(ConsoleRefusal) in
            let webhooks = try await administer { () async throws(AdministrationError) in
                var webhooks: [ShownWebhook] = []
                for stored in try await administration.webhooks() {
                    let figures = try await administration.webhookFigures(of: stored.webhook.id)
                    webhooks.append(ShownWebhook(stored.webhook, figures, links: links))
                }
                return webhooks
            }
            return ConsolePage(
                template: .webhooks, title: "Webhooks", section: .webhooks, content: WebhooksContent(webhooks: webhooks)
            )
        }
        page(.webhook, on: routes) { request throws(ConsoleRefusal) in
            let id: WebhookID = try request.identifier("id")
            let (stored, figures, dead) = try await administer { () async throws(AdministrationError) in
                (
                    try await administration.webhook(id), try await administration.webhookFigures(of: id),
                    try await administration.deliveries(of: id, areDead: true, pageLength: Self.deadLetterLimit)
                )
            }
            return ConsolePage(
                template: .webhook, title: stored.webhook.name.rawValue, section: .webhooks,
                parents: [.init(text: "Webhooks", address: links.link(.webhooks))],
                content: WebhookContent(stored.webhook, figures, dead: dead.elements, links: links))
        }
        action(.redeliver, on: routes) { request throws(ConsoleRefusal) in
            let id: WebhookID = try request.identifier("id")
            _ = try await administer { () async throws(AdministrationError) in
                try await administration.changeDeadLetters(.redeliver, of: id, number: nil)
            }
            return done(with: id, .redelivered)
        }
        change(.pauseWebhook, to: .byOperator, .webhookPaused, on: routes)
        change(.resumeWebhook, to: nil, .webhookResumed, on: routes)
    }

    private func change(
        _ path: ConsolePath, to pause: WebhookPause?, _ message: ConsoleMessage, on routes: RouteGroup
    ) {
        action(path, on: routes) { request throws(ConsoleRefusal) in
            let id: WebhookID = try request.identifier("id")
            _ = try await administer { () async throws(AdministrationError) in
                try await administration.changeWebhook(id) { $0.pause = pause }
            }
            return done(with: id, message)
        }
    }

    private func done(with id: WebhookID, _ message: ConsoleMessage) -> ActionEnd {
        .done(at: links.link(.webhook, ("id", id.rawValue), (ConsoleMessage.field, message.rawValue)))
    }
}

/// The values for the template of the list of webhooks.
private struct WebhooksContent {
    let webhooks: [ShownWebhook]
}

private struct ShownWebhook {
    let name: String
    let address: String
    let url: String
    let state: String
    let waiting: String
    let dead: String

    init(_ webhook: Webhook, _ figures: WebhookFigures, links: ConsoleLinks) {
        name = webhook.name.rawValue
        address = links.link(.webhook, ("id", webhook.id.rawValue))
        url = webhook.url.rawValue
        state = webhook.stateInWords
        waiting = figures.waiting.inWords
        dead = figures.dead.inWords
    }
}

/// The values for the template of a webhook.
private struct WebhookContent {
    let facts: [Fact]
    let id: String
    let dead: [ShownDeadLetter]
    /// The address that redelivers the dead letters; nil if there are none.
    let redelivery: String?
    /// The address that pauses or resumes the webhook, and the words of its button.
    let toggle: String
    let verb: String
    let effect: String

    init(_ webhook: Webhook, _ figures: WebhookFigures, dead: [WebhookDelivery], links: ConsoleLinks) {
        id = webhook.id.rawValue
        var facts = [
            Fact("State", webhook.stateInWords), Fact("URL", webhook.url.rawValue),
            Fact("Events", webhook.kinds.map { $0.map(\.inWords).sorted().joined(separator: ", ") } ?? "all"),
            Fact("Signature", webhook.signature.rawValue), Fact("Waiting", figures.waiting.inWords),
            Fact("Dead letters", figures.dead.inWords), Fact("Webhook id", webhook.id.rawValue),
        ]
        if let oldest = figures.oldest { facts.insert(Fact("Oldest that waits", ShownTime(oldest).text), at: 5) }
        for key in webhook.secrets.compactMap(\.publicKey) { facts.append(Fact("Public key", key)) }
        self.facts = facts
        self.dead = dead.map(ShownDeadLetter.init)
        redelivery = dead.isEmpty ? nil : links.link(.redeliver)
        toggle = links.link(webhook.pause == nil ? .pauseWebhook : .resumeWebhook)
        verb = webhook.pause == nil ? "Pause" : "Resume"
        effect =
            webhook.pause == nil
            ? "Events wait until the webhook is resumed." : "Events are sent again, beginning with those that wait."
    }
}

private struct ShownDeadLetter {
    let number: String
    let createdAt: ShownTime
    let diedAt: ShownTime?
    let failure: String

    init(_ delivery: WebhookDelivery) {
        number = String(delivery.number)
        createdAt = ShownTime(delivery.createdAt)
        diedAt = ShownTime(delivery.diedAt)
        failure = delivery.failure?.rawValue ?? "–"
    }
}

extension Webhook {
    fileprivate var stateInWords: String {
        switch pause {
        case nil: "active"
        case .byOperator: "paused"
        case .gone: "paused: the receiver answered 410"
        }
    }
}

extension Int {
    /// A count of ``WebhookFigures``.
    fileprivate var inWords: String { self < WebhookFigures.countLimit ? String(self) : "\(self) or more" }
}
