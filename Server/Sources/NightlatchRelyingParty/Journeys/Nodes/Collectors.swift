import NightlatchWire

/// A node with one callback. Every valid answer leads to an outcome, so a page can contain the node.
protocol CollectorNode: JourneyNodeBehaviour {
    func callback(for languages: AcceptedLanguages) -> JourneyCallback
    /// Stores the answer and returns the outcome; nil if the client sent no valid answer.
    func take(_ answer: CallbackAnswer, into visit: inout JourneyVisit) -> String?
}

extension CollectorNode {
    func step(_ visit: inout JourneyVisit, answers: [CallbackAnswer]?) -> JourneyNodeStep {
        guard let answer = answers?.first else { return .ask([callback(for: visit.surroundings.languages)]) }
        guard let outcome = take(answer, into: &visit) else { return .fail(.emptyAnswer) }
        return .outcome(outcome)
    }
}

/// The only outcome of a collector without choices.
private let done = "outcome"

/// The longest text that a client may enter, in bytes.
private let textByteCountLimit = 2048

/// Asks for the user name.
struct UsernameCollectorNode: CollectorNode {
    let prompt: LocalizedText
    var outcomes: [String] { [done] }

    func callback(for languages: AcceptedLanguages) -> JourneyCallback {
        JourneyCallback(
            "NameCallback", outputs: [.init("prompt", .string(prompt.text(for: languages)))],
            inputs: [.init("", .string(""))])
    }

    func take(_ answer: CallbackAnswer, into visit: inout JourneyVisit) -> String? {
        let name = answer.text(in: "NameCallback")
        guard !name.isEmpty, name.utf8.count <= textByteCountLimit else { return nil }
        // The user of the new name is not authenticated.
        if visit.state.user?.rawValue.isExactly(name) != true { visit.state.forgetUser() }
        visit.state.username = name
        return done
    }
}

/// Asks for a password, which the next decision node in the same request checks. The password is dropped when the
/// request ends.
struct PasswordCollectorNode: CollectorNode {
    let prompt: LocalizedText
    var outcomes: [String] { [done] }

    func callback(for languages: AcceptedLanguages) -> JourneyCallback {
        JourneyCallback(
            "PasswordCallback", outputs: [.init("prompt", .string(prompt.text(for: languages)))],
            inputs: [.init("", .string(""))])
    }

    func take(_ answer: CallbackAnswer, into visit: inout JourneyVisit) -> String? {
        // A text that is not a valid password counts as a wrong password.
        visit.request.password = Password(rawValue: answer.text(in: "PasswordCallback"))
        return done
    }
}

/// Asks for a text and stores it in the state.
struct TextInputNode: CollectorNode {
    let prompt: LocalizedText
    let attribute: String
    var outcomes: [String] { [done] }

    func callback(for languages: AcceptedLanguages) -> JourneyCallback {
        JourneyCallback(
            "TextInputCallback",
            outputs: [
                .init("prompt", .string(prompt.text(for: languages))), .init("defaultText", .string("")),
            ],
            inputs: [.init("", .string(""))])
    }

    func take(_ answer: CallbackAnswer, into visit: inout JourneyVisit) -> String? {
        let text = answer.text(in: "TextInputCallback")
        guard text.utf8.count <= textByteCountLimit else { return nil }
        visit.state.attributes[attribute] = text
        return done
    }
}

/// Lets the client choose an outcome.
struct ChoiceCollectorNode: CollectorNode {
    let prompt: LocalizedText
    let choices: [String]
    let defaultChoice: Int
    var outcomes: [String] { choices }

    func callback(for languages: AcceptedLanguages) -> JourneyCallback {
        JourneyCallback(
            "ChoiceCallback",
            outputs: [
                .init("prompt", .string(prompt.text(for: languages))),
                .init("choices", .array(choices.map(JSONValue.string))),
                .init("defaultChoice", .integer(defaultChoice)),
            ],
            inputs: [.init("", .integer(defaultChoice))])
    }

    func take(_ answer: CallbackAnswer, into visit: inout JourneyVisit) -> String? {
        guard let index = Self.index(answer.value(in: "ChoiceCallback")), choices.indices.contains(index) else {
            return nil
        }
        return choices[index]
    }

    /// Parses a whole number. One of Ping's SDKs sends an unchanged default as a string.
    private static func index(_ value: JSONValue?) -> Int? {
        if let text = value?.string { return Int(text).flatMap { String($0) == text ? $0 : nil } }
        return value?.integer
    }
}
