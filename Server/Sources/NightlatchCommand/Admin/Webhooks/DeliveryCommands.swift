import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch admin webhooks deliveries`
struct DeliveriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deliveries",
        abstract: "List the events that wait for delivery to a webhook, or with --dead its dead letters.",
        discussion: "A dead letter is an event that was not delivered in all its attempts. It is kept for 90 days.")

    @OptionGroup var webhook: WebhookOptions

    @Flag(help: "List the dead letters.")
    var dead = false

    @Option(help: "Continue after this delivery: the NEXT of the previous page.")
    var after: Int?

    @Option(help: "The largest number of deliveries, up to 500.")
    var limit = Administration.defaultPageLength

    func run() async throws {
        let id = try webhook.id()
        let page = try await webhook.options.administer { administration throws(AdministrationError) in
            try await administration.deliveries(of: id, areDead: dead, after: after, pageLength: limit)
        }
        let next = page.next.map(String.init)
        if webhook.json {
            return PageReport(entries: page.elements.map(WebhookDeliveryReport.init), next: next).printJSON()
        }
        var table = Table("NUMBER", "CREATED", "ATTEMPTS", dead ? "DIED" : "DUE", "FAILURE", "WEBHOOK-ID")
        for delivery in page.elements {
            table.add(
                String(delivery.number), delivery.createdAt.shown, String(delivery.attempts),
                (delivery.diedAt ?? delivery.dueAt).shown, delivery.failure?.rawValue ?? "-",
                WebhookMessage.id(at: delivery.place))
        }
        table.print()
        if let next { StandardStream.writeLine("next: --after \(next)", to: .standardError) }
    }
}

/// `nightlatch admin webhooks redeliver`
struct RedeliverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redeliver",
        abstract: "Deliver dead letters of a webhook again, before events of the same users that still wait.",
        discussion: "Events that have failed and wait for their next attempt are delivered at once too.")

    @OptionGroup var letters: DeadLetterOptions

    func run() async throws { try await letters.change(.redeliver, inWords: "will be delivered again") }
}

/// `nightlatch admin webhooks discard`
struct DiscardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract: "Delete dead letters of a webhook. The events stay in the audit log.",
        discussion: """
            With --number it also deletes an event that waits, for example one that its receiver always refuses. The next \
            event of the same user is then sent.
            """)

    @OptionGroup var letters: DeadLetterOptions

    func run() async throws { try await letters.change(.discard, inWords: "deleted") }
}

/// The options that select dead letters.
struct DeadLetterOptions: ParsableArguments {
    @Argument(help: "The id of the webhook.")
    var webhook: String

    @Option(help: "The number of one delivery. (default: all dead letters of the webhook)")
    var number: Int?

    @OptionGroup var options: DatabaseOptions

    fileprivate func change(_ change: DeadLetterChange, inWords words: String) async throws {
        let id = try WebhookOptions.id(webhook)
        let count = try await options.administer { administration throws(AdministrationError) in
            try await administration.changeDeadLetters(change, of: id, number: number)
        }
        StandardStream.writeLine("\(count) \(count == 1 ? "event" : "events") \(words)", to: .standardOutput)
    }
}
