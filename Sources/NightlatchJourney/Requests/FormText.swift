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

    /// Decodes fields. Returns nil if an escape is not valid, if a character is not printable ASCII, or if a name occurs
    /// twice: readers that take the first value and readers that take the last one would disagree.
    static func decode(_ text: Substring) -> [String: String]? {
        // Other characters may combine with a separator, which then does not separate.
        guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        var fields: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts[0].removingPercentEncoding,
                let value = (parts.count == 2 ? parts[1] : "").removingPercentEncoding,
                fields.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        return fields
    }
}
