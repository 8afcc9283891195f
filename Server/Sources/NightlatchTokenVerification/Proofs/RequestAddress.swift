import Foundation

/// The normalised address of a request, without query and fragment ([RFC 3986, sections 6.2.2 and
/// 6.2.3](https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2)).
struct RequestAddress: Hashable {
    private let scheme: String
    private let host: String
    private let port: Int
    private let path: String

    /// Returns whether two texts are the same address.
    ///
    /// Compares the bytes first, which is fast: most senders write the address in the expected form.
    static func isSame(_ claimed: String, _ expected: String) -> Bool {
        // Comparing arrays is faster than comparing strings or UTF-8 views.
        if Array(claimed.utf8) == Array(expected.utf8) { return true }
        guard let claimed = Self(claimed) else { return false }
        return claimed == Self(expected)
    }

    /// Returns nil for anything other than an absolute `http` or `https` URL.
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

    /// Decodes escapes of unreserved characters, and writes all other escapes in uppercase.
    private static func normalised(_ path: String) -> String {
        // Works on bytes for speed, because the sender of a proof chooses the length of the path.
        var result: [UInt8] = []
        var rest = Array(path.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), let high = rest.first?.hexDigitValue,
                let low = rest.dropFirst().first?.hexDigitValue
            else {
                result.append(byte)
                continue
            }
            rest.removeFirst(2)
            let plain = high << 4 | low
            result += plain.isUnreserved ? [plain] : Array(String(format: "%%%02X", plain).utf8)
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var hexDigitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Whether the character needs no escape in a URL ([RFC 3986, section
    /// 2.3](https://www.rfc-editor.org/rfc/rfc3986#section-2.3)).
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
