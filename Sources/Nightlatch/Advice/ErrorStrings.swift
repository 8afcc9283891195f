internal import Foundation

/// The texts that describe errors to users, in one language.
///
/// English, German and French are included. An app can provide another language, or its own texts.
///
/// ```swift
/// let strings = ErrorStrings.english.replacing { summary in
///     summary == .unreachable ? "Night Bank does not answer." : nil
/// }
/// label.text = error.text(in: strings)
/// ```
public struct ErrorStrings: Sendable {
    /// The language as a BCP 47 tag, such as `en`.
    public let language: String
    private let summary: @Sendable (ErrorSummary) -> String
    private let advice: @Sendable (Advice) -> String

    /// Creates the texts of one language.
    ///
    /// - Parameters:
    ///   - language: The language as a BCP 47 tag.
    ///   - summary: Returns the text that says what happened.
    ///   - advice: Returns the text that says what to do; empty if there is nothing to say.
    public init(
        language: String,
        summary: @escaping @Sendable (ErrorSummary) -> String,
        advice: @escaping @Sendable (Advice) -> String
    ) {
        self.language = language
        self.summary = summary
        self.advice = advice
    }

    /// All included languages.
    public static let all = [english, german, french]

    /// The texts in the app's own language, or in English.
    public static let ofApp = matching(Bundle.main.preferredLocalizations)

    /// Returns the texts for the first of `languages` that is included, or the English texts if none is.
    ///
    /// - Parameter languages: The languages as BCP 47 tags, such as `["de-AT", "en"]`.
    public static func matching(_ languages: [String]) -> ErrorStrings {
        for language in languages {
            let primary = language.prefix { $0 != "-" && $0 != "_" }.lowercased()
            if let strings = all.first(where: { $0.language == primary }) { return strings }
        }
        return english
    }

    /// The text that says what happened.
    public subscript(_ summary: ErrorSummary) -> String { self.summary(summary) }

    /// The text that says what to do; empty for ``Advice/nothing``.
    public subscript(_ advice: Advice) -> String { self.advice(advice) }

    /// Both texts, with a space in between.
    public subscript(_ guidance: ErrorGuidance) -> String {
        let advice = self[guidance.advice]
        return advice.isEmpty ? self[guidance.summary] : "\(self[guidance.summary]) \(advice)"
    }

    /// Returns a copy of these texts in which `replacement` provides texts for summaries. If it returns nil, the text
    /// stays the same.
    public func replacing(_ replacement: @escaping @Sendable (ErrorSummary) -> String?) -> ErrorStrings {
        ErrorStrings(
            language: language, summary: { [summary] in replacement($0) ?? summary($0) }, advice: advice)
    }
}
