/// A text in several languages, and which to take for whom.
struct LocalizedText: Hashable, Sendable {
    /// What is taken where no language fits.
    let fallback: String
    /// By language tags in small letters, such as `de` or `de-ch`.
    let translations: [String: String]

    init(_ fallback: String, translations: [String: String] = [:]) {
        self.fallback = fallback
        self.translations = translations
    }

    /// The text in the first of `languages` that there is.
    func text(for languages: AcceptedLanguages) -> String {
        for tag in languages.tags {
            if let text = translations[tag] { return text }
            if let language = tag.split(separator: "-").first, let text = translations[String(language)] { return text }
        }
        return fallback
    }
}

/// The languages that a client reads, best first ([RFC 9110, section 12.5.4](https://www.rfc-editor.org/rfc/rfc9110#section-12.5.4)).
package struct AcceptedLanguages: Hashable, Sendable {
    /// How many are looked at.
    private static let limit = 16

    let tags: [String]

    /// Reads an `Accept-Language` header. Of what cannot be read nothing is taken.
    package init(_ header: String?) {
        // Tags are ASCII. To look another text up would cost up to the square of its length.
        let text = String(decoding: (header ?? "").utf8.prefix(1024).filter { $0 < 0x80 }, as: UTF8.self)
        let ranges = text.split(separator: ",").prefix(Self.limit).map(Self.range)
        tags = ranges.enumerated().filter { $0.element.weight > 0 && $0.element.tag != "*" }
            .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }.map(\.element.tag)
    }

    private static func range(_ text: Substring) -> (tag: String, weight: Double) {
        let parts = text.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
        guard let tag = parts.first else { return ("*", 0) }
        let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
        return (tag.replacing("_", with: "-"), weight)
    }
}
