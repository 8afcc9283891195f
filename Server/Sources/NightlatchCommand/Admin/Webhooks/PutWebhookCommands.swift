import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch admin webhooks add`
struct AddWebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a receiver of events, and print its secret or public key.",
        discussion: """
            The server sends events from its own network to every URL that is added here. See docs/webhooks.md for what a \
            receiver does.
            """)

    @Option(help: "The https URL to which events are posted.")
    var url: String

    @Option(help: "The name that operators see.")
    var name: String

    @Option(help: "How events are signed: hmac-sha256 or ed25519.")
    var signature: String = WebhookSignature.hmac.rawValue

    @OptionGroup var members: WebhookMemberOptions

    @Flag(help: "Print one line of JSON.")
    var json = false

    @OptionGroup var masterKey: MasterKeyOptions
    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        guard let kind = WebhookSignature(rawValue: signature) else {
            throw CommandFailure(.usage, "--signature must be hmac-sha256 or ed25519.")
        }
        guard let kinds = try members.kinds() else {
            throw CommandFailure(.usage, "Name the kinds of event with --events, or all.")
        }
        let request = WebhookRequest(
            name: try WebhookMemberOptions.name(name), url: try members.url(url), kinds: kinds, signature: kind)
        let key = try masterKey.masterKey()
        let (stored, text) = try await options.administer { administration throws(AdministrationError) in
            try await administration.add(request, under: key, at: NumericDate(Date()))
        }
        WebhookReport(stored, forReceiver: text).print(asJSON: json)
    }
}

/// `nightlatch admin webhooks change`
struct ChangeWebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Change the members of a webhook that the options name.",
        discussion: "Events that wait already are sent to the new URL, also if their kind is no longer sent.")

    @OptionGroup var options: WebhookOptions

    @Option(help: "The https URL to which events are posted.")
    var url: String?

    @Option(help: "The name that operators see.")
    var name: String?

    @OptionGroup var members: WebhookMemberOptions

    func run() async throws {
        let id = try options.id()
        let (url, name) = (
            try url.map { text throws(CommandFailure) in try members.url(text) },
            try name.map { text throws(CommandFailure) in try WebhookMemberOptions.name(text) }
        )
        let kinds = try members.kinds()
        if url == nil && name == nil && kinds == nil {
            throw CommandFailure(.usage, "No option names a member to change.")
        }
        let stored = try await options.options.administer { administration throws(AdministrationError) in
            try await administration.changeWebhook(id) { webhook in
                if let url { webhook.url = url }
                if let name { webhook.name = name }
                if let kinds { webhook.kinds = kinds }
            }
        }
        WebhookReport(stored).print(asJSON: options.json)
    }
}

/// `nightlatch admin webhooks rotate-secret`
struct RotateWebhookSecretCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-secret",
        abstract: "Give a webhook a new secret, and print it or its public key.",
        discussion: """
            Until the overlap ends, each event has two signatures, so the receiver can learn the new secret in that time.
            """)

    @OptionGroup var options: WebhookOptions

    @Option(help: "For how many hours the previous secret signs too, up to 720.")
    var overlapHours = 24

    @OptionGroup var masterKey: MasterKeyOptions

    func run() async throws {
        let id = try options.id()
        guard Administration.secretOverlapHours.contains(overlapHours) else {
            throw CommandFailure(.usage, "--overlap-hours takes whole hours from 0 to 720.")
        }
        let key = try masterKey.masterKey()
        let overlap = Duration.seconds(overlapHours * 60 * 60)
        let (stored, text) = try await options.options.administer { administration throws(AdministrationError) in
            try await administration.rotateSecret(of: id, under: key, overlap: overlap, at: NumericDate(Date()))
        }
        WebhookReport(stored, forReceiver: text).print(asJSON: options.json)
    }
}
