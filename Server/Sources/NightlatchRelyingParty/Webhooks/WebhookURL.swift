import Foundation
public import NightlatchWire

/// The address of a webhook's receiver: an `https` URL, or an `http` URL of this machine (`127.0.0.1`, `[::1]` or
/// `localhost`), in at most 2,000 bytes of ASCII, without user information and without a fragment.
///
/// An operator chooses it. The server sends requests to it from its own network, so an operator can reach every address
/// that the server can reach.
public typealias WebhookURL = Identifier<WebhookURLRule>

public enum WebhookURLRule: IdentifierRule {
    public static let name = "webhook URL"
    public static let requirement = """
        an https URL, or an http URL of this machine, without user information and without a fragment, in at most \
        \(byteCountLimit) bytes
        """
    static let byteCountLimit = 2000
    private static let loopbackHosts: Set<String> = ["127.0.0.1", "[::1]", "localhost"]

    public static func accepts(_ text: String) -> Bool {
        // A URI is ASCII. Foundation would accept and convert other host names.
        guard text.utf8.count <= byteCountLimit, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let parts = URLComponents(string: text, encodingInvalidCharacters: false),
            parts.fragment == nil, parts.user == nil, parts.password == nil,
            let host = parts.host, !host.isEmpty
        else { return false }
        return switch parts.scheme {
        case "https": true
        case "http": loopbackHosts.contains(host)
        default: false
        }
    }
}

extension Identifier where Rule == WebhookURLRule {
    /// Whether requests to this address are not encrypted. They stay on this machine.
    public var isPlain: Bool { rawValue.hasPrefix("http:") }
}
