import NightlatchWire

/// A node whose callbacks can share a page with those of other nodes.
protocol CollectorNode: JourneyNodeBehaviour {
    /// The callbacks for the client: always ``JourneyNodeBehaviour/callbackCount`` of them.
    func callbacks(for visit: JourneyVisit) -> [JourneyCallback]

    /// Stores the answers to all callbacks of the node.
    func take(_ answers: [CallbackAnswer], into visit: inout JourneyVisit) -> CollectorStep
}

/// The result of the answers to a collector.
enum CollectorStep: Hashable, Sendable {
    case outcome(String)
    /// The client must answer these callbacks again.
    case again([JourneyCallback])
    /// The client sent no valid answer. The journey fails.
    case invalid
}

extension CollectorNode {
    func step(_ visit: inout JourneyVisit, answers: [CallbackAnswer]?) -> JourneyNodeStep {
        if answers == nil, callbackCount > 0 { return .ask(callbacks(for: visit)) }
        return switch take(answers ?? [], into: &visit) {
        case .outcome(let outcome): .outcome(outcome)
        case .again(let callbacks): .ask(callbacks)
        case .invalid: .fail(.emptyAnswer)
        }
    }
}

/// A collector with one callback, in which every valid answer leads to an outcome.
protocol SingleCollectorNode: CollectorNode {
    func callback(for languages: AcceptedLanguages) -> JourneyCallback
    /// Stores the answer and returns the outcome; nil if the client sent no valid answer.
    func take(_ answer: CallbackAnswer, into visit: inout JourneyVisit) -> String?
}

extension SingleCollectorNode {
    func callbacks(for visit: JourneyVisit) -> [JourneyCallback] { [callback(for: visit.surroundings.languages)] }

    func take(_ answers: [CallbackAnswer], into visit: inout JourneyVisit) -> CollectorStep {
        guard let answer = answers.first, let outcome = take(answer, into: &visit) else { return .invalid }
        return .outcome(outcome)
    }
}

extension CollectorNode {
    /// The only outcome of a collector without choices.
    var done: String { "outcome" }

    /// The longest text that a client may enter, in bytes.
    var textByteCountLimit: Int { 2048 }
}

extension CallbackAnswer {
    /// A whole number in an input. One of Ping's SDKs sends an unchanged number as a string.
    func index(in type: String) -> Int? {
        let value = value(in: type)
        if let text = value?.string { return Int(text).flatMap { String($0) == text ? $0 : nil } }
        return value?.integer
    }
}
