import NightlatchWire

/// A node that asks one callback and goes on with what it got, so that a page can hold it.
protocol CollectorNode: JourneyNodeBehaviour {
    func callback(for languages: AcceptedLanguages) -> JourneyCallback
    /// Takes the answer; nil if it is none.
    func take(_ answer: CallbackAnswer, into visit: inout JourneyVisit) -> String?
}

extension CollectorNode {
    func step(_ visit: inout JourneyVisit, answers: [CallbackAnswer]?) -> JourneyNodeStep {
        guard let answer = answers?.first else { return .ask([callback(for: visit.surroundings.languages)]) }
        guard let outcome = take(answer, into: &visit) else { return .fail(.emptyAnswer) }
        return .outcome(outcome)
    }
}

/// The one way out of a node that only collects.
private let done = "outcome"

/// How long a text may be that a client types.
private let textByteCountLimit = 2048

/// Asks who the user is.
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
        // Who was authenticated before is not who is named now.
        if visit.state.user?.rawValue.isExactly(name) != true { visit.state.forgetUser() }
        visit.state.username = name
        return done
    }
}

/// Asks for a password, which the next decision must be about: it is forgotten with the request.
struct PasswordCollectorNode: CollectorNode {
    let prompt: LocalizedText
    var outcomes: [String] { [done] }

    func callback(for languages: AcceptedLanguages) -> JourneyCallback {
        JourneyCallback(
            "PasswordCallback", outputs: [.init("prompt", .string(prompt.text(for: languages)))],
            inputs: [.init("", .string(""))])
    }

    func take(_ answer: CallbackAnswer, into visit: inout JourneyVisit) -> String? {
        // What is no password is a wrong one.
        visit.request.password = Password(rawValue: answer.text(in: "PasswordCallback"))
        return done
    }
}

/// Asks for a text and leaves it in the state.
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

/// Lets the client choose the way.
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

    /// A whole number. One of the vendor's SDKs sends the default, where the person has not touched it, as a text.
    private static func index(_ value: JSONValue?) -> Int? {
        if let text = value?.string { return Int(text).flatMap { String($0) == text ? $0 : nil } }
        return value?.integer
    }
}
