import Foundation
public import NightlatchWire

/// An address to which the authorization endpoint may send a browser or an app: an absolute URI of at most 2,000 bytes,
/// without a fragment, without user information and without dot segments.
///
/// It is one of these ([RFC 8252, section 7](https://www.rfc-editor.org/rfc/rfc8252#section-7)):
///
/// - an `https` URL
/// - an `http` URL of a loopback address or of `localhost`
/// - a URI with a private-use scheme, such as `com.example.app:/callback`
public typealias RedirectURI = Identifier<RedirectURIRule>

public enum RedirectURIRule: IdentifierRule {
    public static let name = "redirect URI"
    public static let requirement = """
        an https URL, an http URL of a loopback address, or a URI with a private-use scheme in small letters, without \
        a fragment, user information and dot segments, in at most \(byteCountLimit) bytes
        """
    static let byteCountLimit = 2000

    /// Schemes that name no app: a browser runs or shows their content, or starts another program.
    private static let refusedSchemes: Set<String> = [
        "about", "blob", "chrome", "content", "data", "file", "filesystem", "ftp", "intent", "javascript", "mailto",
        "resource", "sms", "tel", "vbscript", "view-source", "ws", "wss",
    ]

    public static func accepts(_ text: String) -> Bool {
        // A URI is ASCII. Foundation would accept and convert other host names.
        guard text.utf8.count <= byteCountLimit, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let parts = URLComponents(string: text, encodingInvalidCharacters: false),
            // URIs are compared as bytes, so the scheme has one spelling.
            let scheme = parts.scheme, scheme == scheme.lowercased(), !refusedSchemes.contains(scheme),
            parts.fragment == nil, parts.user == nil, parts.password == nil, hasPlainPort(text),
            !hasDotSegment(parts.percentEncodedPath)
        else { return false }
        let hasHost = parts.host?.isEmpty == false
        return switch scheme {
        case "https": hasHost && hasValidAddress(parts.host ?? "")
        case "http": parts.isLoopbackIP || parts.host == "localhost"
        default: hasHost || !parts.path.isEmpty
        }
    }

    /// Whether a host in brackets has only the characters of an IPv6 address. Foundation does not check that.
    private static func hasValidAddress(_ host: String) -> Bool {
        !host.hasPrefix("[") || host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }

    /// Whether the authority has no port, or one from 1 to 65535 in its usual spelling.
    private static func hasPlainPort(_ text: String) -> Bool {
        guard let start = text.firstRange(of: "://") else { return true }
        let authority = text[start.upperBound...].prefix { !"/?#".contains($0) }
        // An IPv6 address has colons within brackets.
        guard let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") else { return true }
        let port = authority[authority.index(after: colon)...]
        return UInt16(port).map { $0 > 0 && String($0) == port } ?? false
    }

    /// Whether a browser would resolve `path` to another one. Browsers also decode `%2e`.
    private static func hasDotSegment(_ path: String) -> Bool {
        path.lowercased().replacing("%2e", with: ".").split(separator: "/").contains { $0 == "." || $0 == ".." }
    }
}

extension Identifier where Rule == RedirectURIRule {
    /// Whether an app that registered this URI may name `requested` in a request.
    ///
    /// Both must be the same bytes. Only the port of a loopback IP address may differ, because a desktop app learns its
    /// port from the system ([RFC 8252, section 7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3)).
    func permits(_ requested: Self) -> Bool {
        if self == requested { return true }
        guard var own = URLComponents(string: rawValue), var other = URLComponents(string: requested.rawValue),
            own.isLoopbackIP, other.isLoopbackIP
        else { return false }
        own.port = nil
        other.port = nil
        return own.string == other.string
    }

    /// The URI with `fields` added to its query. Spaces are encoded as `%20`.
    package func adding(_ fields: [(name: String, value: String)]) -> String {
        let query = fields.map { $0.name + "=" + $0.value.percentEncoded }.joined(separator: "&")
        return rawValue + (rawValue.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + query
    }
}

extension URLComponents {
    fileprivate var isLoopbackIP: Bool { scheme == "http" && (host == "127.0.0.1" || host == "[::1]") }
}

extension String {
    /// The text with every byte escaped that is not unreserved
    /// ([RFC 3986, section 2.3](https://www.rfc-editor.org/rfc/rfc3986#section-2.3)).
    package var percentEncoded: String {
        guard let encoded = addingPercentEncoding(withAllowedCharacters: .unreserved) else {
            preconditionFailure("every Swift string is valid Unicode")
        }
        return encoded
    }
}

extension CharacterSet {
    fileprivate static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
