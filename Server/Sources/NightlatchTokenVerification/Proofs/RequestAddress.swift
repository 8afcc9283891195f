import Foundation

/// Where a request went, without query and fragment, in the one way of writing it
/// ([RFC 3986, sections 6.2.2 and 6.2.3](https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2)).
struct RequestAddress: Hashable {
    private let scheme: String
    private let host: String
    private let port: Int
    private let path: String

    /// Whether two texts name one address. Most senders write it in the way that it is expected, which is soon seen.
    static func isSame(_ claimed: String, _ expected: String) -> Bool {
        // As arrays, whose bytes are compared where they lie.
        if Array(claimed.utf8) == Array(expected.utf8) { return true }
        guard let claimed = Self(claimed) else { return false }
        return claimed == Self(expected)
    }

    /// Nil for what is no absolute `http` or `https` URL.
    init?(_ text: String) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            let host = parts.host?.lowercased(), !host.isEmpty, parts.user == nil, parts.password == nil,
            let defaultPort = ["http": 80, "https": 443][scheme]
        else { return nil }
        self.scheme = scheme
        self.host = host
        port = parts.port ?? defaultPort
        let path = Self.normalised(parts.percentEncodedPath)
        self.path = path.isEmpty ? "/" : path
    }

    /// Escapes of characters that need none are resolved, the others written in capitals.
    private static func normalised(_ path: String) -> String {
        var result = ""
        var rest = Substring(path)
        while let character = rest.popFirst() {
            guard character == "%", rest.count >= 2, let code = UInt8(rest.prefix(2), radix: 16) else {
                result.append(character)
                continue
            }
            let plain = Character(UnicodeScalar(code))
            let isUnreserved = plain.isASCII && (plain.isLetter || plain.isNumber || "-._~".contains(plain))
            result += isUnreserved ? String(plain) : "%" + rest.prefix(2).uppercased()
            rest = rest.dropFirst(2)
        }
        return result
    }
}
