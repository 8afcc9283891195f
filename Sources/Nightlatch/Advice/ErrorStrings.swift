internal import Foundation

/// What errors say to people, in one language. English, German and French are there; an app brings another, or words of
/// its own.
///
/// ```swift
/// let strings = ErrorStrings.english.replacing { summary in
///     summary == .unreachable ? "Night Bank does not answer." : nil
/// }
/// label.text = error.text(in: strings)
/// ```
public struct ErrorStrings: Sendable {
    /// The language as BCP 47 writes it: `en`.
    public let language: String
    private let summary: @Sendable (ErrorSummary) -> String
    private let advice: @Sendable (Advice) -> String

    /// - Parameters:
    ///   - language: The language as BCP 47 writes it.
    ///   - summary: Says what happened.
    ///   - advice: Says what to do; empty where there is nothing to say.
    public init(
        language: String,
        summary: @escaping @Sendable (ErrorSummary) -> String,
        advice: @escaping @Sendable (Advice) -> String
    ) {
        self.language = language
        self.summary = summary
        self.advice = advice
    }

    /// The languages that are there.
    public static let all = [english, german, french]

    /// The language that the app itself is shown in, or English.
    public static let ofApp = matching(Bundle.main.preferredLocalizations)

    /// The first of the languages that are there, in the order given; English if none is there.
    ///
    /// - Parameter languages: Languages as BCP 47 writes them: `["de-AT", "en"]`.
    public static func matching(_ languages: [String]) -> ErrorStrings {
        for language in languages {
            let primary = language.prefix { $0 != "-" && $0 != "_" }.lowercased()
            if let strings = all.first(where: { $0.language == primary }) { return strings }
        }
        return english
    }

    /// What happened.
    public subscript(_ summary: ErrorSummary) -> String { self.summary(summary) }

    /// What to do; empty for ``Advice/nothing``.
    public subscript(_ advice: Advice) -> String { self.advice(advice) }

    /// Both.
    public subscript(_ guidance: ErrorGuidance) -> String {
        let advice = self[guidance.advice]
        return advice.isEmpty ? self[guidance.summary] : "\(self[guidance.summary]) \(advice)"
    }

    /// The same, but for the summaries that `replacement` has.
    public func replacing(_ replacement: @escaping @Sendable (ErrorSummary) -> String?) -> ErrorStrings {
        ErrorStrings(
            language: language, summary: { [summary] in replacement($0) ?? summary($0) }, advice: advice)
    }
}
