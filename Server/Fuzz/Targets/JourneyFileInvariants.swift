import NightlatchFuzzReference
import NightlatchRelyingParty
import NightlatchWire

/// Invariants of an accepted journey file.
///
/// - Each outcome has a target.
/// - No client may choose an outcome of the server.
/// - It does not promise attestation.
/// - Each walk ends, and a client without any credentials is not known at its end.
enum JourneyFileInvariants {
    private static let ends = ["success", "failure"]
    private static let serverOutcomes = [
        "DeviceBindingNode": ["success", "failure", "exceedDeviceLimit"],
        "DeviceSigningVerifierNode": ["success", "failure", "noDeviceRegistered", "keyNotFound"],
    ]
    private static let verifier = JourneySigningVerifier()

    static func check(_ input: [UInt8]) throws(FuzzFinding) -> Bool {
        guard let configuration = try? JourneyConfiguration(input) else { return false }
        let reference = try unwrap(JSONReference(input), "a file that is no JSON")
        try require(
            !reference.hasDuplicateNames && reference.depth <= 12 && input.count <= 256 * 1024,
            "a file against the reference")
        let file = try unwrap(JSONObjectReference(input), "a file that is no object")
        if let journeys = file.object("journeys") {
            for name in journeys.names {
                let journey = try unwrap(journeys.object(name), "a journey that is no object")
                try checkJourney(journey, applications: file.texts("applicationIds") ?? [])
                try require(configuration.journeys[name] != nil, "a journey was left out")
            }
        }
        for journey in configuration.journeys.values { try walk(journey, in: configuration.realm) }
        return true
    }

    private static func checkJourney(
        _ journey: JSONObjectReference, applications: [String]
    ) throws(FuzzFinding) {
        let nodes = try unwrap(journey.object("nodes"), "no nodes")
        try require(nodes.contains(unwrap(journey.text("start"), "no beginning")), "begins nowhere")
        for name in nodes.names {
            let node = try unwrap(nodes.object(name), "a node that is no object")
            let outcomes = try unwrap(node.object("outcomes"), "no outcomes")
            for outcome in outcomes.names {
                let target = try unwrap(outcomes.text(outcome), "an outcome that leads to no name")
                try require(ends.contains(target) || nodes.contains(target), "an outcome that leads nowhere")
            }
            guard let own = serverOutcomes[node.text("type") ?? ""] else { continue }
            try require(node.tokens("attestation") != [.literal("true")], "attestation that nobody checks")
            try require(!(node.texts("applicationIds") ?? applications).isEmpty, "a node for no app")
            let errors = node.texts("clientErrorOutcomes") ?? []
            try require(!errors.contains(where: own.contains), "an outcome of the server's for clients to choose")
            try require(
                (errors + ["success", "failure"]).allSatisfy(outcomes.contains), "an outcome that leads nowhere")
        }
    }

    /// Walks the journey as an unknown client: answers with texts, the first choice and wrong passwords.
    private static func walk(_ journey: JourneyTree, in realm: JourneyRealm) throws(FuzzFinding) {
        let now = NumericDate(secondsSince1970: FuzzedMessage.now)
        var facts = JourneyFacts()
        var answers: CallbackAnswers?
        var state = JourneyState(journey: journey.name, node: journey.start, expiresAt: now + .seconds(300))
        // Each answer leads to a next node, perhaps an earlier one; each question is asked once.
        for _ in 0..<64 {
            let surroundings = JourneySurroundings(
                realm: realm, languages: AcceptedLanguages("de, en;q=0.5"), now: now, verifier: verifier,
                makeChallenge: { "AZrz80IwNkYoXMcmlEBZa29mRwwsGI/PkJb6xLRAZVo=" })
            let visit = JourneyVisit(
                state: state, request: JourneyRequestState(), facts: facts, surroundings: surroundings)
            var passed: [JourneyTree.Passed] = []
            switch journey.advance(visit, answers: answers, passed: &passed) {
            case .need(.areRight(let credentials)):
                try require(facts.passwords.updateValue(false, forKey: credentials) == nil, "asked twice")
            case .need(.devices(let user)):
                try require(facts.devices.updateValue([], forKey: user) == nil, "asked twice")
            case .need(.isKnown(let user)):
                try require(facts.knownUsers.updateValue(true, forKey: user) == nil, "asked twice")
            case .need(.decision(let question)):
                try require(facts.decisions.updateValue(nil, forKey: question) == nil, "asked twice")
            case .need(let question):
                try require(facts.takenKeys.updateValue(false, forKey: question) == nil, "asked twice")
            case .asks(let callbacks, _, let visit):
                try require((1...16).contains(callbacks.count), "\(callbacks.count) callbacks")
                state = visit.state
                answers = try unwrap(CallbackAnswers(answer(to: callbacks)), "what is asked cannot be answered")
            case .succeeded(let visit), .failed(let visit):
                try require(visit.state.user == nil, "knows somebody who has shown nothing")
                try require(visit.request.bindings.isEmpty, "binds a key to somebody")
                return
            }
        }
    }

    /// Returns the callbacks with values in their inputs.
    private static func answer(to callbacks: [JourneyCallback]) -> JSONValue {
        .array(
            callbacks.enumerated().map { number, callback in
                let inputs = callback.inputs.map { input in
                    JSONValue.object([
                        .init("name", .string(JourneyCallback.name(of: input.name, number: number + 1))),
                        .init("value", callback.type == "ChoiceCallback" ? .integer(0) : .string("alice")),
                    ])
                }
                return .object([.init("type", .string(callback.type)), .init("input", .array(inputs))])
            })
    }
}
