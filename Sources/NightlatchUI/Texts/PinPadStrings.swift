/// All texts of the pad in one language.
///
/// English, German and French are there. An app changes what it wants to say otherwise, and may bring a language of its own: a switch over
/// ``PinPadText``, in which the compiler misses what was left out.
///
/// ```swift
/// let strings = PinPadStrings.english.replacing { text in
///     text == .title(.idle) ? "Night Bank" : nil
/// }
/// ```
public struct PinPadStrings: Sendable {
    /// The language as BCP 47 writes it: `en`.
    public let language: String
    private let text: @Sendable (PinPadText) -> String

    /// - Parameters:
    ///   - language: The language as BCP 47 writes it.
    ///   - text: Says each text in it.
    public init(language: String, text: @escaping @Sendable (PinPadText) -> String) {
        self.language = language
        self.text = text
    }

    /// The languages that are there.
    public static let all = [english, german, french]

    /// The first of the languages that are there, in the order given.
    ///
    /// - Parameter languages: Languages as BCP 47 writes them, the one that is liked best first: `["de-AT", "en"]`.
    /// - Returns: English if none of them is there.
    public static func matching(_ languages: [String]) -> PinPadStrings {
        for language in languages {
            let primary = language.prefix { $0 != "-" && $0 != "_" }.lowercased()
            if let strings = all.first(where: { $0.language == primary }) { return strings }
        }
        return english
    }

    /// The text in this language.
    public subscript(_ text: PinPadText) -> String { self.text(text) }

    /// The same, but for the texts that `replacement` has.
    public func replacing(_ replacement: @escaping @Sendable (PinPadText) -> String?) -> PinPadStrings {
        PinPadStrings(language: language) { [text] in replacement($0) ?? text($0) }
    }
}
