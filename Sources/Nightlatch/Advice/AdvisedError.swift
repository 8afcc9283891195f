public import Foundation

/// An error that says what happened and what to do about it. Every public error of this package conforms to this
/// protocol.
///
/// As a `LocalizedError` it uses the language of the app (``ErrorStrings/ofApp``): `localizedDescription` says what
/// happened and what to do.
public protocol AdvisedError: LocalizedError {
    /// The summary of this error, the advice on what to do, and the cause.
    var guidance: ErrorGuidance { get }
    /// The underlying error that caused this error; nil if there is none.
    var cause: (any AdvisedError)? { get }
}

/// A summary of an error, and advice on what to do about it. Two values are equal if their summaries are equal and
/// their advice is equal. The cause is not compared.
public struct ErrorGuidance: Sendable {
    public let summary: ErrorSummary
    public let advice: Advice
    /// See ``AdvisedError/cause``.
    public let cause: (any AdvisedError)?

    public init(_ summary: ErrorSummary, _ advice: Advice, cause: (any AdvisedError)? = nil) {
        self.summary = summary
        self.advice = advice
        self.cause = cause
    }

    /// Whether the user or the calling task cancelled the action, and no other action follows. Then an app shows
    /// nothing.
    public var isCancel: Bool { summary == .cancelled && advice == .nothing }

    /// Returns the guidance for an error that `error` caused.
    ///
    /// - Parameter guidance: The summary and the advice, if they differ from those of `error`.
    package static func caused(by error: any Error, _ guidance: ErrorGuidance? = nil) -> ErrorGuidance {
        let guidance = guidance ?? ErrorGuidance(of: error)
        return ErrorGuidance(guidance.summary, guidance.advice, cause: error as? any AdvisedError)
    }

    /// Returns the guidance for a defect with a code to report.
    static func defect(_ code: String, _ summary: ErrorSummary = .internalFault) -> ErrorGuidance {
        ErrorGuidance(summary, .defect(code: code))
    }

    /// Creates the guidance for any error, with the advice of ``Advice/init(for:)``.
    public init(of error: any Error) {
        if let error = error as? any AdvisedError {
            self = error.guidance
        } else {
            self.init(error is CancellationError ? .cancelled : .internalFault, Advice(for: error))
        }
    }
}

extension ErrorGuidance: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        left.summary == right.summary && left.advice == right.advice
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(summary)
        hasher.combine(advice)
    }
}

extension AdvisedError {
    public var cause: (any AdvisedError)? { guidance.cause }

    /// The innermost cause of this error, which may be the error itself.
    public var rootCause: any AdvisedError { cause?.rootCause ?? self }

    /// The action to take after this error.
    public var advice: Advice { guidance.advice }

    /// Whether the user or the calling task cancelled the action, and no other action follows. Then an app shows
    /// nothing. For an error that may come from elsewhere, such as a `CancellationError`, use
    /// `ErrorGuidance(of: error).isCancel`.
    public var isCancel: Bool { guidance.isCancel }

    /// Returns what happened and what to do, in sentences for the user.
    public func text(in strings: ErrorStrings = .ofApp) -> String { strings[guidance] }

    public var errorDescription: String? { text() }

    /// A sentence for the user about what happened, without advice.
    public var failureReason: String? { ErrorStrings.ofApp[guidance.summary] }

    /// The advice alone, in a sentence for the user; nil for ``Advice/nothing``.
    public var recoverySuggestion: String? {
        let suggestion = ErrorStrings.ofApp[guidance.advice]
        return suggestion.isEmpty ? nil : suggestion
    }

    public var helpAnchor: String? { nil }
}
