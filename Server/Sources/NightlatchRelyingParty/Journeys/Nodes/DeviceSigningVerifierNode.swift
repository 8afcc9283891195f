import NightlatchWire

/// Lets the client sign with a bound key. A signature over a random challenge authenticates the user.
struct DeviceSigningVerifierNode: JourneyNodeBehaviour {
    enum ChallengeSource: Hashable, Sendable {
        case random
        /// The value of a state attribute: a text that the user understands. The user may sign it more than once, each
        /// time in a new message.
        ///
        /// The client may have chosen the text and signed it at any earlier time. The signature does not prove the
        /// user's presence, so the journey must have authenticated the user before.
        case attribute(String)
    }

    let challengeSource: ChallengeSource
    /// Whether an error that would end the journey leads to `failure` instead.
    let capturesFailure: Bool
    let prompt: DevicePrompt

    private static let callbackType = "DeviceSigningVerifierCallback"

    static let ownOutcomes = ["success", "failure", "noDeviceRegistered", "keyNotFound"]

    var outcomes: [String] { Self.ownOutcomes + prompt.clientErrors }

    func step(_ visit: inout JourneyVisit, answers: [CallbackAnswer]?) -> JourneyNodeStep {
        if case .attribute = challengeSource, visit.state.user == nil { return .outcome("failure", .noUser) }
        let known: UserID?
        switch named(visit.state) {
        case .success(let user): known = user
        case .failure: return fail(.noUser, as: "INVALID_USER", &visit)
        }
        guard let answer = answers?.first else { return ask(known, &visit) }
        let text = answer.text(of: "jws", in: Self.callbackType)
        guard !text.isEmpty else {
            return prompt.step(onClientError: answer.text(of: "clientError", in: Self.callbackType))
        }
        let message: JourneyMessage
        do throws(JourneyRefusal) {
            message = try JourneyMessage(text)
        } catch {
            return refuse(error, &visit)
        }
        // The claims are not verified yet. The refusal reveals only facts that the sender already knows.
        let subject = visit.surroundings.realm.user(universalID: message.claims.subject)
        guard let user = subject, known == nil || known == user else {
            return fail(.wrongSubject, as: "INVALID_SUBJECT", &visit)
        }
        // Only the key that the message names is read, not all keys of the user, because the client is not
        // authenticated yet.
        let question = JourneyQuestion.device(message.keyID, of: user)
        guard let devices = visit.facts.namedDevices[question] else { return .need(question) }
        return verify(message, of: user, by: devices, &visit)
    }

    /// The user that the state names; nil if it names none. Fails if the name is not a valid user id.
    private func named(_ state: JourneyState) -> Result<UserID?, JourneyRefusal> {
        if let user = state.user { return .success(user) }
        guard let username = state.username else { return .success(nil) }
        guard let user = UserID(rawValue: username) else { return .failure(.noUser) }
        return .success(user)
    }

    private func ask(_ user: UserID?, _ visit: inout JourneyVisit) -> JourneyNodeStep {
        // Only an authenticated user learns whether they have devices.
        if let user = visit.state.user {
            guard let devices = visit.facts.devices[user] else { return .need(.devices(of: user)) }
            guard !devices.isEmpty else { return .outcome("noDeviceRegistered", .noDevice) }
        }
        let challenge: String
        switch challengeSource {
        case .random: challenge = visit.surroundings.makeChallenge()
        case .attribute(let name):
            guard let text = visit.state.attribute(name), !text.isEmpty else {
                return .outcome("failure", .noChallenge)
            }
            // The client may have written this text. If it had the form of a random challenge, this node would also
            // accept a message that was signed for such a challenge.
            guard !JourneyChallenge.couldHaveMade(text) else { return .outcome("failure", .foreignChallenge) }
            challenge = text
        }
        visit.state.challenge = challenge
        let surroundings = visit.surroundings
        return .ask([
            JourneyCallback(
                Self.callbackType,
                outputs: [
                    .init("userId", .string(user.map(surroundings.realm.universalID) ?? "")),
                    .init("challenge", .string(challenge)),
                ] + prompt.outputs(for: surroundings.languages),
                inputs: ["jws", "clientError"].map { .init($0, .string("")) })
        ])
    }
}
