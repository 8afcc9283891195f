/// A journey: its nodes, and the target of each outcome.
package struct JourneyTree: Hashable, Sendable {
    package let name: String
    package let start: String
    /// Whether the journey is always walked, even by a client that has a session from it.
    let isAlwaysWalked: Bool
    let nodes: [String: Place]
    /// The SHA-256 of the journey's definition in the file.
    let fingerprint: [UInt8]

    /// A node and the targets of its outcomes.
    struct Place: Hashable, Sendable {
        let node: JourneyNode
        /// The target of each outcome: a node's name, or one of the two ends.
        let targets: [String: String]
    }

    /// The ends of every journey; no node may have these names.
    static let success = "success"
    static let failure = "failure"

    /// The largest number of nodes that one request may pass.
    private static let passLimit = 64

    /// The result of advancing the journey in one request.
    package enum Progress: Sendable {
        case need(JourneyQuestion)
        case asks([JourneyCallback], page: PageNode.Texts?, JourneyVisit)
        case succeeded(JourneyVisit)
        case failed(JourneyVisit)

        /// The visit; nil if a fact must be looked up first.
        var visit: JourneyVisit? {
            switch self {
            case .need: nil
            case .asks(_, page: _, let visit), .succeeded(let visit), .failed(let visit): visit
            }
        }
    }

    /// A passed node, for logs. It contains only names from the configuration, and a reason.
    package struct Passed: Hashable, Sendable {
        let node: String
        let outcome: String
        let refusal: JourneyRefusal?
    }

    /// Walks from the state's node until the client must be asked, a fact must be looked up, or the journey ends. Pure.
    ///
    /// - Parameters:
    ///   - visit: The state at the beginning.
    ///   - answers: The answers to the callbacks of the state's node; nil at the beginning of the journey.
    ///   - passed: Receives the nodes that were passed.
    package func advance(_ visit: JourneyVisit, answers: CallbackAnswers?, passed: inout [Passed]) -> Progress {
        var (visit, answers) = (visit, answers)
        for _ in 0..<Self.passLimit {
            let name = visit.state.node
            // This relying party sealed the state, but the configuration may have changed since.
            guard let place = nodes[name] else {
                passed.append(Passed(node: name, outcome: Self.failure, refusal: .unknownJourney))
                return .failed(visit)
            }
            let node = place.node.behaviour
            let own = answers.map { answers in
                (0..<node.callbackCount).map { CallbackAnswer(answers: answers, number: $0 + 1) }
            }
            switch node.step(&visit, answers: own) {
            case .need(let question): return .need(question)
            case .ask(let callbacks):
                if case .page(let page) = place.node {
                    return .asks(callbacks, page: page.texts(for: visit.surroundings.languages), visit)
                }
                return .asks(callbacks, page: nil, visit)
            case .fail(let refusal):
                passed.append(Passed(node: name, outcome: Self.failure, refusal: refusal))
                return .failed(visit)
            case .outcome(let outcome, let refusal):
                passed.append(Passed(node: name, outcome: outcome, refusal: refusal))
                visit.state.challenge = nil
                answers = nil
                switch place.targets[outcome] ?? Self.failure {
                case Self.success: return .succeeded(visit)
                case Self.failure: return .failed(visit)
                case let next: visit.state.node = next
                }
            }
        }
        passed.append(Passed(node: visit.state.node, outcome: Self.failure, refusal: .endless))
        return .failed(visit)
    }
}
