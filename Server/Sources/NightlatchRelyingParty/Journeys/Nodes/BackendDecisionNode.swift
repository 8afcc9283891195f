import NightlatchWire

/// Lets the app's backend choose the outcome. Without a valid answer in time the outcome is `error`.
struct BackendDecisionNode: JourneyNodeBehaviour {
    let url: String
    let timeout: Duration
    /// The outcomes that the backend may choose.
    let choices: [String]
    /// The names of the attributes that the backend gets.
    let attributes: [String]

    static let error = "error"

    var outcomes: [String] { choices + [Self.error] }

    func step(_ visit: inout JourneyVisit, answers: [CallbackAnswer]?) -> JourneyNodeStep {
        let state = visit.state
        let values = attributes.compactMap { name in state.attribute(name).map { (name, $0) } }
        let question = BackendQuestion(
            url: url, timeout: timeout, outcomes: choices, journey: state.journey, node: state.node, user: state.user,
            username: state.username, attributes: Dictionary(uniqueKeysWithValues: values))
        guard let decision = visit.facts.decisions[question] else { return .need(.decision(question)) }
        return .outcome(decision ?? Self.error)
    }
}
