import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch admin webhooks pause`
struct PauseWebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Send nothing to a webhook until it is resumed. Its events wait.")

    @OptionGroup var options: WebhookOptions

    func run() async throws { try await options.pause(.byOperator) }
}

/// `nightlatch admin webhooks resume`
struct ResumeWebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Send events to a paused webhook again, beginning with those that wait.")

    @OptionGroup var options: WebhookOptions

    func run() async throws { try await options.pause(nil) }
}

/// `nightlatch admin webhooks remove`
struct RemoveWebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a webhook, the events that wait for it and its dead letters.")

    @Argument(help: "The id of the webhook.")
    var webhook: String

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let id = try WebhookOptions.id(webhook)
        try await options.administer { administration throws(AdministrationError) in
            try await administration.removeWebhook(id)
        }
        StandardStream.writeLine("\(id.rawValue)  removed", to: .standardOutput)
    }
}

/// `nightlatch admin webhooks test`
struct TestWebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Send an event webhook_tested to one webhook.",
        discussion: "A running server sends it within a second, whatever else waits. See “deliveries” if it does not arrive.")

    @Argument(help: "The id of the webhook.")
    var webhook: String

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let id = try WebhookOptions.id(webhook)
        try await options.administer { administration throws(AdministrationError) in
            try await administration.testWebhook(id)
        }
        StandardStream.writeLine("\(id.rawValue)  a test waits for delivery", to: .standardOutput)
    }
}

extension WebhookOptions {
    fileprivate func pause(_ pause: WebhookPause?) async throws {
        let id = try id()
        let stored = try await options.administer { administration throws(AdministrationError) in
            try await administration.changeWebhook(id) { $0.pause = pause }
        }
        WebhookReport(stored).print(asJSON: json)
    }
}
