public import NightlatchWire

/// The name of a webhook, for operators: 1 to 64 characters, of the same kind as in a `DeviceName`.
public typealias WebhookName = Identifier<WebhookNameRule>

public enum WebhookNameRule: ShownTextRule {
    public static let name = "webhook name"
    public static let characterCountLimit = 64
}

/// The reason why a webhook is paused. Its events wait until it is resumed.
public enum WebhookPause: String, Codable, Hashable, Sendable, CaseIterable {
    /// An operator paused it.
    case byOperator = "operator"
    /// The receiver answered 410 Gone.
    case gone
}

/// A receiver of events over HTTP, as an operator registers it.
///
/// The server posts each event that the receiver subscribes to, signed as [Standard
/// Webhooks](https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md) describes.
public struct Webhook: Hashable, Sendable {
    public let id: WebhookID
    public var name: WebhookName
    public var url: WebhookURL
    /// The kinds of event that are sent; nil for all kinds, also those of later versions.
    public var kinds: Set<AuditEvent.Kind>? {
        didSet { laterKinds = [] }
    }
    /// The names of further kinds, which a later version has stored and this one does not know. They are written back,
    /// so no process of an older version ends a subscription. Whoever sets ``kinds`` replaces them too.
    package private(set) var laterKinds: Set<String> = []
    public let signature: WebhookSignature
    /// The secrets that sign, newest first. An older one signs until its end.
    public var secrets: [SealedWebhookSecret]
    /// Why nothing is sent; nil if events are sent.
    public var pause: WebhookPause?
    public let createdAt: NumericDate

    /// The largest number of webhooks.
    public static let countLimit = 32
    /// The largest number of secrets that sign at the same time.
    public static let secretLimit = 2

    /// Creates a webhook that gets all kinds of event and is not paused.
    public init(
        id: WebhookID, name: WebhookName, url: WebhookURL, signature: WebhookSignature, secrets: [SealedWebhookSecret],
        createdAt: NumericDate
    ) {
        self.id = id
        self.name = name
        self.url = url
        self.signature = signature
        self.secrets = secrets
        self.createdAt = createdAt
    }

    /// Whether events of `kind` are sent to the receiver.
    ///
    /// A test is sent only to the webhook that it is for: see ``WebhookStore/testWebhook(_:by:)``.
    public func wants(_ kind: AuditEvent.Kind) -> Bool { kind != .webhookTested && kinds?.contains(kind) ?? true }
}

/// A webhook, as stored.
public struct StoredWebhook: Hashable, Sendable {
    public let webhook: Webhook
    /// The number of times that the webhook was added or changed.
    public let revision: Int

    public init(webhook: Webhook, revision: Int) {
        self.webhook = webhook
        self.revision = revision
    }
}

extension StoredWebhook {
    /// The webhook as a store contains it: strict JSON.
    package var document: String { String(decoding: StrictJSON.bytes(of: webhook), as: UTF8.self) }
}

extension Webhook {
    /// The name of all kinds in a store's table of subscriptions.
    package static let allKinds = "*"

    /// The kinds in a store's table of subscriptions.
    package var subscriptions: [String] { kindNames ?? [Self.allKinds] }

    /// The names of all kinds that are sent, in their order; nil for all kinds.
    package var kindNames: [String]? { kinds.map { laterKinds.union($0.map(\.rawValue)).sorted() } }
}

extension Webhook: Codable {
    public init(from decoder: any Decoder) throws {
        let members = try JSONObjectReader(decoder)
        // A later version may have stored kinds that this one does not know.
        let kinds: [String]? = try members.optionalValue("events")
        self.init(
            id: try members.value("id"), name: try members.value("name"), url: try members.value("url"),
            signature: try members.value("signature"), secrets: try members.value("secrets"),
            createdAt: try members.value("created_at"))
        self.kinds = kinds.map { Set($0.compactMap(AuditEvent.Kind.init)) }
        laterKinds = Set((kinds ?? []).filter { AuditEvent.Kind(rawValue: $0) == nil })
        pause = try members.optionalValue("pause")
        guard (1...Self.secretLimit).contains(secrets.count) else {
            throw members.broken("secrets", "must be 1 to \(Self.secretLimit)")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("created_at", createdAt)
        if let kindNames { try members.add("events", kindNames) }
        try members.add("id", id)
        try members.add("name", name)
        try members.addIfPresent("pause", pause)
        try members.add("secrets", secrets)
        try members.add("signature", signature)
        try members.add("url", url)
    }
}
