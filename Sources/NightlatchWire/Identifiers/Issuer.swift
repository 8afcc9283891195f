public import Foundation

/// The URL that names a relying party, `iss` in its tokens and `aud` in messages to it: `https`, or `http` to a loopback
/// address, without user, query, fragment, percent signs or a slash at its end.
public typealias Issuer = Identifier<IssuerRule>

public enum IssuerRule: IdentifierRule {
    public static let name = "issuer"

    public static func accepts(_ text: String) -> Bool {
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
    /// The URL of `path`, which begins with a slash, at this relying party; nil if `path` is not one.
    public func url(path: String) -> URL? {
        // Without the slash the path would go on with the host's name or port.
        guard path.hasPrefix("/") else { return nil }
        return URL(string: rawValue + path, encodingInvalidCharacters: false)
    }
}
