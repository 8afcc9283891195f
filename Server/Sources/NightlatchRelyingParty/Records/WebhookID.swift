public import NightlatchWire

/// The id of a webhook.
public typealias WebhookID = Identifier<WebhookIDRule>

public enum WebhookIDRule: HexadecimalIdentifierRule {
    public static let name = "webhook id"
}
