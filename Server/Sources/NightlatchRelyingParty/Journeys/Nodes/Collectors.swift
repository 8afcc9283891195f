import NightlatchWire

/// Asks for the user name.
struct UsernameCollectorNode: SingleCollectorNode {
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
        Self.keep(name, in: &visit)
        return done
    }

    /// Stores an entered name. The user of a new name is not authenticated.
    static func keep(_ name: String, in visit: inout JourneyVisit) {
        if visit.state.user?.rawValue.isExactly(name) != true { visit.state.forgetUser() }
        visit.state.username = name
    }
}

/// Asks for a password, which the next decision node in the same request checks. The password is dropped when the
/// request ends.
struct PasswordCollectorNode: SingleCollectorNode {
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
struct TextInputNode: SingleCollectorNode {
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

/// Lets the client choose an outcome. A node with one choice has that outcome without a question.
struct ChoiceCollectorNode: CollectorNode {
    let prompt: LocalizedText
    let choices: [String]
    let defaultChoice: Int
    var outcomes: [String] { choices }
    var callbackCount: Int { choices.count == 1 ? 0 : 1 }

    func callbacks(for visit: JourneyVisit) -> [JourneyCallback] {
        guard choices.count > 1 else { return [] }
        return [
            JourneyCallback(
                "ChoiceCallback",
                outputs: [
                    .init("prompt", .string(prompt.text(for: visit.surroundings.languages))),
                    .init("choices", .array(choices.map(JSONValue.string))),
                    .init("defaultChoice", .integer(defaultChoice)),
                ],
                inputs: [.init("", .integer(defaultChoice))])
        ]
    }

    func take(_ answers: [CallbackAnswer], into visit: inout JourneyVisit) -> CollectorStep {
        guard choices.count > 1 else { return .outcome(choices[0]) }
        guard let index = answers.first?.index(in: "ChoiceCallback"), choices.indices.contains(index) else {
            return .invalid
        }
        return .outcome(choices[index])
    }
}
