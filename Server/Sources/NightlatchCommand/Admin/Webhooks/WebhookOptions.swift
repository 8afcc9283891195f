import ArgumentParser
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// The argument that selects a webhook, and the output format.
struct WebhookOptions: ParsableArguments {
    @Argument(help: "The id of the webhook.")
    var webhook: String

    @Flag(help: "Print one line of JSON.")
    var json = false

    @OptionGroup var options: DatabaseOptions

    func id() throws(CommandFailure) -> WebhookID { try Self.id(webhook) }

    static func id(_ text: String) throws(CommandFailure) -> WebhookID {
        guard let id = WebhookID(rawValue: text) else {
            throw CommandFailure(.usage, "This is not a webhook’s id, which has \(WebhookIDRule.requirement).")
        }
        return id
    }
}

/// The options that set members of a webhook.
struct WebhookMemberOptions: ParsableArguments {
    @Flag(help: "Permit an http URL. It must name this machine: 127.0.0.1, [::1] or localhost.")
    var plainHttp = false

    @Option(
        parsing: .upToNextOption,
        help: "The kinds of event to send, such as logged_in device_bound; all for all kinds.")
    var events: [String] = []

    func url(_ text: String) throws(CommandFailure) -> WebhookURL {
        guard let url = WebhookURL(rawValue: text) else {
            throw CommandFailure(.usage, "The URL must be \(WebhookURLRule.requirement).")
        }
        guard !url.isPlain || plainHttp else {
            throw CommandFailure(.usage, "An http URL is not encrypted. Use https, or add --plain-http.")
        }
        return url
    }

    static func name(_ text: String) throws(CommandFailure) -> WebhookName {
        guard let name = WebhookName(rawValue: text) else {
            throw CommandFailure(.usage, "The name must be \(WebhookNameRule.requirement).")
        }
        return name
    }

    /// The kinds of event, and nil for all kinds. The outer nil means that the option was not given.
    func kinds() throws(CommandFailure) -> Set<AuditEvent.Kind>?? {
        if events.isEmpty { return nil }
        if events == ["all"] { return .some(nil) }
        var kinds: Set<AuditEvent.Kind> = []
        for word in events {
            guard let kind = AuditEvent.Kind(rawValue: word) else {
                throw CommandFailure(
                    .usage,
                    "There is no event “\(word.withEscapes)”. The events are "
                        + "\(AuditEvent.Kind.allCases.map(\.rawValue).sorted().joined(separator: ", ")).")
            }
            kinds.insert(kind)
        }
        return kinds
    }
}
