public import Foundation

/// An error that says what happened and what to do about it. Every public error of this package does.
///
/// As a `LocalizedError` it speaks the language that the app is shown in (``ErrorStrings/ofApp``):
/// `localizedDescription` says what happened and what to do.
public protocol AdvisedError: LocalizedError {
    /// What happened, and what to do about it.
    var guidance: ErrorGuidance { get }
}

/// What happened, and what to do about it.
public struct ErrorGuidance: Hashable, Sendable {
    public let summary: ErrorSummary
    public let advice: Advice

    public init(_ summary: ErrorSummary, _ advice: Advice) {
        self.summary = summary
        self.advice = advice
    }

    /// A defect with a code to report.
    static func defect(_ code: String, _ summary: ErrorSummary = .internalFault) -> ErrorGuidance {
        ErrorGuidance(summary, .defect(code: code))
    }

    /// The guidance of any error, as ``Advice/init(for:)`` advises.
    public init(of error: any Error) {
        if let error = error as? any AdvisedError {
            self = error.guidance
        } else {
            self.init(error is CancellationError ? .cancelled : .internalFault, Advice(for: error))
        }
    }
}

extension AdvisedError {
    /// What to do about it.
    public var advice: Advice { guidance.advice }

    /// What happened and what to do, in sentences for people.
    public func text(in strings: ErrorStrings = .ofApp) -> String { strings[guidance] }

    public var errorDescription: String? { text() }

    /// What happened, alone.
    public var failureReason: String? { ErrorStrings.ofApp[guidance.summary] }

    /// What to do, alone; nil for ``Advice/nothing``.
    public var recoverySuggestion: String? {
        let suggestion = ErrorStrings.ofApp[guidance.advice]
        return suggestion.isEmpty ? nil : suggestion
    }

    public var helpAnchor: String? { nil }
}
