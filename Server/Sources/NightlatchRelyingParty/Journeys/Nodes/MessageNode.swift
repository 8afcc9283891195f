import NightlatchWire

/// Shows a message with two buttons. The outcome is `true` only if the client chose the first button.
struct MessageNode: CollectorNode {
    let message: LocalizedText
    let positive: LocalizedText
    let negative: LocalizedText
    /// The attribute that stores the index of the chosen button; nil for none.
    let attribute: String?
    var outcomes: [String] { ["true", "false"] }
    var callbackCount: Int { 2 }

    private static let confirmationType = "ConfirmationCallback"
    /// The value of the input before the client chooses a button.
    private static let untouched = 100

    func callbacks(for visit: JourneyVisit) -> [JourneyCallback] {
        let languages = visit.surroundings.languages
        return [
            // The SDKs expect the type of the message as a string, and all numbers of a confirmation as numbers.
            JourneyCallback(
                "TextOutputCallback",
                outputs: [
                    .init("message", .string(message.text(for: languages))), .init("messageType", .string("0")),
                ], inputs: []),
            JourneyCallback(
                Self.confirmationType,
                outputs: [
                    .init("prompt", .string("")),
                    .init("messageType", .integer(0)),
                    .init("options", .array([positive, negative].map { .string($0.text(for: languages)) })),
                    .init("optionType", .integer(-1)),
                    .init("defaultOption", .integer(1)),
                ],
                inputs: [.init("", .integer(Self.untouched))]),
        ]
    }

    func take(_ answers: [CallbackAnswer], into visit: inout JourneyVisit) -> CollectorStep {
        let index = answers.last?.index(in: Self.confirmationType) ?? Self.untouched
        if let attribute { visit.state.attributes[attribute] = String(index) }
        return .outcome(index == 0 ? "true" : "false")
    }
}
