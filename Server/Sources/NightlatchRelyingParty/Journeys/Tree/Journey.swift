/// A journey: nodes, and where each of their outcomes leads.
package struct Journey: Hashable, Sendable {
    package let name: String
    package let start: String
    /// Whether a session that came of it is no reason to be done at once, whatever the client says.
    let isAlwaysWalked: Bool
    let nodes: [String: Place]
    /// SHA-256 of all that the file says of it.
    let fingerprint: [UInt8]

    /// A node in its place.
    struct Place: Hashable, Sendable {
        let node: JourneyNode
        /// For each of the node's outcomes a node's name, or one of the two ends.
        let targets: [String: String]
    }

    /// The ends of every journey; no node is called so.
    static let success = "success"
    static let failure = "failure"

    /// How many nodes one request may pass.
    private static let passLimit = 64

    /// How far one request has come.
    package enum Progress: Sendable {
        case need(JourneyQuestion)
        case asks([JourneyCallback], page: PageNode.Texts?, JourneyVisit)
        case succeeded(JourneyVisit)
        case failed(JourneyVisit)

        /// What was visited; nil where something is to be found out first.
        var visit: JourneyVisit? {
            switch self {
            case .need: nil
            case .asks(_, page: _, let visit), .succeeded(let visit), .failed(let visit): visit
            }
        }
    }

    /// What the walk came by, for logs: names of the configuration, and reasons.
    package struct Passed: Hashable, Sendable {
        let node: String
        let outcome: String
        let refusal: JourneyRefusal?
    }

    /// Walks from the state's node until something is to be asked, found out, or all is over. Pure.
    ///
    /// - Parameters:
    ///   - visit: The state at the beginning.
    ///   - answers: The answer to what the state's node asked; nil at the beginning of the journey.
    ///   - passed: Is told which nodes were passed.
    package func advance(_ visit: JourneyVisit, answers: CallbackAnswers?, passed: inout [Passed]) -> Progress {
        var (visit, answers) = (visit, answers)
        for _ in 0..<Self.passLimit {
            let name = visit.state.node
            // A state was sealed here, for a journey of a configuration that may have changed since.
            guard let place = nodes[name] else {
                passed.append(Passed(node: name, outcome: Self.failure, refusal: .unknownJourney))
                return .failed(visit)
            }
            let node = place.node.behaviour
            let own = answers.map { answers in
                (1...node.callbackCount).map { CallbackAnswer(answers: answers, number: $0) }
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

extension JourneyNodeBehaviour {
    /// How many callbacks it asks.
    var callbackCount: Int { (self as? PageNode)?.collectors.count ?? 1 }
}
