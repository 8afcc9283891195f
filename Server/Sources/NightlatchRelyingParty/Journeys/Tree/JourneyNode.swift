import NightlatchWire

/// What a node of a journey does.
protocol JourneyNodeBehaviour: Hashable, Sendable {
    /// Its ways out.
    var outcomes: [String] { get }

    /// Takes the node as far as it goes. Pure: what it must know it asks for, and is asked again with the answer, from the same state.
    ///
    /// - Parameters:
    ///   - visit: What the journey knows, and what the node changes of it.
    ///   - answers: What was answered to the callbacks that it asked, in their order; nil when the journey comes to it.
    func step(_ visit: inout JourneyVisit, answers: [CallbackAnswer]?) -> JourneyNodeStep
}

/// What comes of a node.
enum JourneyNodeStep: Hashable, Sendable {
    case outcome(String, JourneyRefusal? = nil)
    case ask([JourneyCallback])
    case need(JourneyQuestion)
    /// The journey fails, whatever the node's outcomes are wired to.
    case fail(JourneyRefusal)
}

/// What a node sees.
package struct JourneyVisit: Sendable {
    package var state: JourneyState
    package var request: JourneyRequestState
    let facts: JourneyFacts
    let surroundings: JourneySurroundings

    package init(
        state: JourneyState,
        request: JourneyRequestState,
        facts: JourneyFacts,
        surroundings: JourneySurroundings
    ) {
        self.state = state
        self.request = request
        self.facts = facts
        self.surroundings = surroundings
    }
}

/// What was answered to one callback.
struct CallbackAnswer: Hashable, Sendable {
    let answers: CallbackAnswers
    let number: Int

    func text(of suffix: String = "", in type: String) -> String {
        answers.text(of: suffix, in: type, number: number)
    }

    func value(of suffix: String = "", in type: String) -> JSONValue? {
        answers.value(of: suffix, in: type, number: number)
    }
}

/// A node of any type.
enum JourneyNode: Hashable, Sendable {
    case page(PageNode)
    case username(UsernameCollectorNode)
    case password(PasswordCollectorNode)
    case textInput(TextInputNode)
    case choice(ChoiceCollectorNode)
    case credentialsDecision(DataStoreDecisionNode)
    case stateDecision(StateDecisionNode)
    case deviceBinding(DeviceBindingNode)
    case deviceSigningVerifier(DeviceSigningVerifierNode)
    case deviceBindingStorage(DeviceBindingStorageNode)

    var behaviour: any JourneyNodeBehaviour {
        switch self {
        case .page(let node): node
        case .username(let node): node
        case .password(let node): node
        case .textInput(let node): node
        case .choice(let node): node
        case .credentialsDecision(let node): node
        case .stateDecision(let node): node
        case .deviceBinding(let node): node
        case .deviceSigningVerifier(let node): node
        case .deviceBindingStorage(let node): node
        }
    }
}
