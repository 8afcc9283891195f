public import Foundation

/// The URL of a relying party, `iss` in its tokens and `aud` in messages to it.
///
/// It has the scheme `https`, or `http` for a loopback address, and no user, query, fragment, percent sign or final
/// slash.
public typealias Issuer = Identifier<IssuerRule>

public enum IssuerRule: IdentifierRule {
    public static let name = "issuer"
    public static let requirement =
        "an https URL, or an http URL of this machine, without user, query, fragment, percent sign or final slash"

    public static func accepts(_ text: String) -> Bool {
        // Every message contains an issuer, and parsing a URL is by far the slowest part of reading a message.
        isPlain(text) || isURL(text)
    }

    /// Whether `text` has the usual form: a scheme, labels of ASCII letters, digits and hyphens joined by dots, and an
    /// optional port. Such a text needs no URL parser.
    private static func isPlain(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let isSecure = bytes.starts(with: "https://".utf8)
        guard bytes.count <= 256, isSecure || bytes.starts(with: "http://".utf8) else { return false }
        let authority = bytes[(isSecure ? 8 : 7)...]
        let end = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
        let host = authority[..<end]
        guard isSecure || host.elementsEqual("127.0.0.1".utf8) || host.elementsEqual("localhost".utf8) else {
            return false
        }
        return isPlainHost(host) && (end == authority.endIndex || isPort(authority[(end + 1)...]))
    }

    private static func isPlainHost(_ host: ArraySlice<UInt8>) -> Bool {
        // Dots and hyphens are allowed only between letters and digits.
        var isAfterLetterOrDigit = false
        for byte in host {
            guard
                byte.isASCIILetterOrDigit
                    || isAfterLetterOrDigit && (byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-"))
            else { return false }
            isAfterLetterOrDigit = byte.isASCIILetterOrDigit
        }
        return isAfterLetterOrDigit
    }

    private static func isPort(_ digits: ArraySlice<UInt8>) -> Bool {
        guard (1...5).contains(digits.count), digits.first != UInt8(ascii: "0") else { return false }
        var port = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return false }
            port = port * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return port <= 65535
    }

    private static func isURL(_ text: String) -> Bool {
        guard text.utf8.count <= 256, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "%") }),
            let parts = URLComponents(string: text, encodingInvalidCharacters: false),
            let host = parts.host, !host.isEmpty, (1...65535).contains(parts.port ?? 443),
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil, !text.hasSuffix("/")
        else { return false }
        return switch parts.scheme {
        case "https": true
        case "http": ["127.0.0.1", "localhost", "[::1]", "::1"].contains(host)
        default: false
        }
    }
}

extension Identifier where Rule == IssuerRule {
    /// The URL of `path` at this relying party. Returns nil if `path` does not begin with a slash or is not a valid
    /// path.
    public func url(path: String) -> URL? {
        // Without the slash, the path would extend the host name or the port.
        guard path.hasPrefix("/") else { return nil }
        return URL(string: rawValue + path, encodingInvalidCharacters: false)
    }
}
