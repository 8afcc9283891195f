import NightlatchWire

/// What the nodes for devices have in common.
struct DevicePrompt: Hashable, Sendable {
    let applications: Set<String>
    let title: LocalizedText
    let subtitle: LocalizedText
    let text: LocalizedText
    let timeoutSeconds: Int
    /// The outcomes that a client may choose by saying what went wrong. None of the node's own is among them.
    let clientErrors: [String]

    func outputs(for languages: AcceptedLanguages) -> [JSONObject.Member] {
        [
            .init("title", .string(title.text(for: languages))),
            .init("subtitle", .string(subtitle.text(for: languages))),
            .init("description", .string(text.text(for: languages))),
            .init("timeout", .integer(timeoutSeconds)),
        ]
    }

    /// Where a client goes that has no message.
    func step(onClientError error: String) -> JourneyNodeStep {
        if error.isEmpty { return .outcome("failure", .emptyAnswer) }
        // The file's word for it: where it leads, and what logs say, is not the client's to write.
        guard let outcome = clientErrors.first(where: error.isExactly) else {
            return .outcome("failure", .foreignOutcome)
        }
        return .outcome(outcome)
    }

    func expectation(of user: String, challenge: String) -> JourneyClaims.Expectation {
        JourneyClaims.Expectation(
            subject: user, challenge: challenge, applications: applications, timeout: .seconds(timeoutSeconds))
    }
}
