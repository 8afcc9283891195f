import NightlatchWire

/// The behaviour of a node of a journey.
protocol JourneyNodeBehaviour: Hashable, Sendable {
    /// The node's outcomes.
    var outcomes: [String] { get }
    /// The number of callbacks that the node sends whenever it asks.
    var callbackCount: Int { get }

    /// Advances the node.
    ///
    /// Pure: a node that needs a fact requests it. Once the fact is known, the node is called again with the same
    /// state.
    ///
    /// - Parameters:
    ///   - visit: The journey's state, which the node may change.
    ///   - answers: The answers to the node's callbacks, in their order; nil when the journey reaches the node.
    func step(_ visit: inout JourneyVisit, answers: [CallbackAnswer]?) -> JourneyNodeStep
}

extension JourneyNodeBehaviour {
    var callbackCount: Int { 1 }
}

/// The result of one call to a node.
enum JourneyNodeStep: Hashable, Sendable {
    case outcome(String, JourneyRefusal? = nil)
    case ask([JourneyCallback])
    case need(JourneyQuestion)
    /// The journey fails, whatever the targets of the node's outcomes are.
    case fail(JourneyRefusal)
}

/// The state and context that a node works on.
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

/// The answer to one callback.
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
    case message(MessageNode)
    case attributes(AttributeCollectorNode)
    case validatedUsername(ValidatedUsernameNode)
    case validatedPassword(ValidatedPasswordNode)
    case terms(AcceptTermsAndConditionsNode)
    case consent(ConsentNode)
    case creation(CreateObjectNode)
    case backendDecision(BackendDecisionNode)
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
        case .message(let node): node
        case .attributes(let node): node
        case .validatedUsername(let node): node
        case .validatedPassword(let node): node
        case .terms(let node): node
        case .consent(let node): node
        case .creation(let node): node
        case .backendDecision(let node): node
        case .credentialsDecision(let node): node
        case .stateDecision(let node): node
        case .deviceBinding(let node): node
        case .deviceSigningVerifier(let node): node
        case .deviceBindingStorage(let node): node
        }
    }
}
