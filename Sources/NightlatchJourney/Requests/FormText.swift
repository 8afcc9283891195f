internal import Foundation

/// Names and values as `application/x-www-form-urlencoded`: in queries, in bodies and in the target of a redirect.
enum FormText {
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// Escapes everything except unreserved characters. A space becomes `%20`.
    static func escape(_ text: String) -> String {
        // This never fails, because Swift strings are valid Unicode.
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    static func encode(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\(escape($0.name))=\(escape($0.value))" }.joined(separator: "&")
    }

    /// Decodes fields. A `+` is a space, as forms define it.
    ///
    /// Returns nil if an escape is not valid, if a character is not printable ASCII, or if a name occurs twice: readers
    /// that take the first value and readers that take the last one would disagree.
    static func decode(_ text: Substring) -> [String: String]? {
        // Other characters may combine with a separator, which then does not separate.
        guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        var fields: [String: String] = [:]
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            guard let name = unescape(pair[..<end]), let value = unescape(pair[end...].dropFirst()),
                fields.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        return fields
    }

    /// Decodes escapes. Returns nil if one is not valid or if the result is not UTF-8. (Foundation's function repairs
    /// such a result on Linux, so a value would not be the one that was sent.)
    private static func unescape(_ text: Substring.UTF8View) -> String? {
        var rest = text
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                continue
            }
            guard let high = rest.popFirst(), let low = rest.popFirst(), let escaped = self.byte(high, low) else {
                return nil
            }
            bytes.append(escaped)
        }
        let decoded = String(decoding: bytes, as: UTF8.self)
        return decoded.utf8.elementsEqual(bytes) ? decoded : nil
    }

    private static func byte(_ high: UInt8, _ low: UInt8) -> UInt8? {
        let digits = [Character(Unicode.Scalar(high)), Character(Unicode.Scalar(low))].compactMap(\.hexDigitValue)
        return digits.count == 2 ? UInt8(digits[0] * 16 + digits[1]) : nil
    }
}
