/// All texts of the pad in one language.
///
/// English, German and French are included. An app can replace single texts. It can also add a language with a switch
/// over ``PinPadText``, where the compiler reports missing cases.
///
/// ```swift
/// let strings = PinPadStrings.english.replacing { text in
///     text == .title(.idle) ? "Night Bank" : nil
/// }
/// ```
public struct PinPadStrings: Sendable {
    /// The language as a BCP 47 tag: `en`.
    public let language: String
    private let text: @Sendable (PinPadText) -> String

    /// Creates the texts of a language.
    ///
    /// - Parameters:
    ///   - language: The language as a BCP 47 tag.
    ///   - text: Returns each text in that language.
    public init(language: String, text: @escaping @Sendable (PinPadText) -> String) {
        self.language = language
        self.text = text
    }

    /// The included languages.
    public static let all = [english, german, french]

    /// Returns the texts of the first language in the list that is included.
    ///
    /// - Parameter languages: BCP 47 tags, the preferred one first: `["de-AT", "en"]`.
    /// - Returns: The texts, in English if none of the languages is included.
    public static func matching(_ languages: [String]) -> PinPadStrings {
        for language in languages {
            let primary = language.prefix { $0 != "-" && $0 != "_" }.lowercased()
            if let strings = all.first(where: { $0.language == primary }) { return strings }
        }
        return english
    }

    /// Returns the text in this language.
    public subscript(_ text: PinPadText) -> String { self.text(text) }

    /// Returns these texts. If `replacement` returns a text, it replaces the original.
    public func replacing(_ replacement: @escaping @Sendable (PinPadText) -> String?) -> PinPadStrings {
        PinPadStrings(language: language) { [text] in replacement($0) ?? text($0) }
    }
}
