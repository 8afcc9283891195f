import NightlatchWire

/// Checks the entered name and password. If they are right, the node authenticates the user for the rest of the
/// journey.
struct DataStoreDecisionNode: JourneyNodeBehaviour {
    var outcomes: [String] { ["true", "false"] }

    func step(_ visit: inout JourneyVisit, answers: [CallbackAnswer]?) -> JourneyNodeStep {
        guard let user = visit.state.username.flatMap(UserID.init), let password = visit.request.password else {
            return .outcome("false", .wrongCredentials)
        }
        let credentials = Credentials(user: user, password: password)
        guard let isRight = visit.facts.passwords[credentials] else { return .need(.areRight(credentials)) }
        visit.request.password = nil
        guard isRight else {
            visit.state.forgetUser()
            return .outcome("false", .wrongCredentials)
        }
        visit.state.prove(user)
        return .outcome("true")
    }
}

/// Compares an attribute of the state with a text.
///
/// The attribute can be a signed claim, or the reason why a signature was refused.
struct StateDecisionNode: JourneyNodeBehaviour {
    let attribute: String
    let expected: Expected
    var outcomes: [String] { ["true", "false"] }

    enum Expected: Hashable, Sendable {
        case text(String)
        /// The value of another attribute.
        case attribute(String)
    }

    func step(_ visit: inout JourneyVisit, answers: [CallbackAnswer]?) -> JourneyNodeStep {
        let wanted: String? =
            switch expected {
            case .text(let text): text
            case .attribute(let name): visit.state.attribute(name)
            }
        guard let found = visit.state.attribute(attribute), let wanted else { return .outcome("false") }
        return .outcome(found.isExactly(wanted) ? "true" : "false")
    }
}
