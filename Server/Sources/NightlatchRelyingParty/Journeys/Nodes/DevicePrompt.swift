import NightlatchWire

/// The settings that the nodes for devices share.
struct DevicePrompt: Hashable, Sendable {
    let applications: Set<String>
    let title: LocalizedText
    let subtitle: LocalizedText
    let text: LocalizedText
    let timeoutSeconds: Int
    /// The outcomes that a client may name when it reports an error. The node's own outcomes are not among them.
    let clientErrors: [String]

    func outputs(for languages: AcceptedLanguages) -> [JSONObject.Member] {
        [
            .init("title", .string(title.text(for: languages))),
            .init("subtitle", .string(subtitle.text(for: languages))),
            .init("description", .string(text.text(for: languages))),
            .init("timeout", .integer(timeoutSeconds)),
        ]
    }

    /// The outcome if the client sent an error instead of a signed message.
    func step(onClientError error: String) -> JourneyNodeStep {
        if error.isEmpty { return .outcome("failure", .emptyAnswer) }
        // The file's own string is used, so that the client's text reaches neither the target lookup nor the logs.
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
