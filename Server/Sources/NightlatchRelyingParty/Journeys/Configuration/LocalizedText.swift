/// A text in several languages.
struct LocalizedText: Hashable, Sendable {
    /// The text for clients that accept none of the languages.
    let fallback: String
    /// The translations by lowercase language tag, such as `de` or `de-ch`.
    let translations: [String: String]

    init(_ fallback: String, translations: [String: String] = [:]) {
        self.fallback = fallback
        self.translations = translations
    }

    /// The text in the first of `languages` that has a translation.
    func text(for languages: AcceptedLanguages) -> String {
        languages.best { translations[$0] } ?? fallback
    }
}

/// The languages that a client accepts, best first ([RFC 9110, section
/// 12.5.4](https://www.rfc-editor.org/rfc/rfc9110#section-12.5.4)).
package struct AcceptedLanguages: Hashable, Sendable {
    /// The largest number of languages that are considered.
    private static let limit = 16

    let tags: [String]

    /// Parses an `Accept-Language` header. Unreadable parts are ignored.
    package init(_ header: String?) {
        // Tags are ASCII. Looking up other text could take time proportional to the square of its length.
        let text = String(decoding: (header ?? "").utf8.prefix(1024).filter { $0 < 0x80 }, as: UTF8.self)
        let ranges = text.split(separator: ",").prefix(Self.limit).map(Self.range)
        tags = ranges.enumerated().filter { $0.element.weight > 0 && $0.element.tag != "*" }
            .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }.map(\.element.tag)
    }

    /// The first value that `find` returns for a language that the client accepts: for its tag, such as `de-ch`, or for
    /// the tag without the region, such as `de`. Nil if there is none.
    package func best<Value>(_ find: (_ tag: String) -> Value?) -> Value? {
        for tag in tags {
            if let value = find(tag) ?? tag.split(separator: "-").first.flatMap({ find(String($0)) }) { return value }
        }
        return nil
    }

    private static func range(_ text: Substring) -> (tag: String, weight: Double) {
        let parts = text.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
        guard let tag = parts.first else { return ("*", 0) }
        let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
        return (tag.replacing("_", with: "-"), weight)
    }
}
