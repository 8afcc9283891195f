/// Asks the questions of several nodes at once.
package struct PageNode: JourneyNodeBehaviour {
    let collectors: [JourneyNode]
    let stage: String?
    let header: LocalizedText?
    let text: LocalizedText?

    /// Texts for the client to display with the page.
    package struct Texts: Hashable, Sendable {
        let stage: String?
        let header: String?
        let description: String?
    }

    /// The outcomes of the last node.
    var outcomes: [String] { collectors.last?.behaviour.outcomes ?? [] }

    var callbackCount: Int { nodes.reduce(0) { $0 + $1.callbackCount } }

    private var nodes: [any CollectorNode] { collectors.compactMap { $0.behaviour as? any CollectorNode } }

    func texts(for languages: AcceptedLanguages) -> Texts {
        Texts(stage: stage, header: header?.text(for: languages), description: text?.text(for: languages))
    }

    func step(_ visit: inout JourneyVisit, answers: [CallbackAnswer]?) -> JourneyNodeStep {
        if answers == nil, callbackCount > 0 { return .ask(nodes.flatMap { $0.callbacks(for: visit) }) }
        var rest = (answers ?? [])[...]
        var outcome: String?
        // The callbacks of the nodes that ask again, by the node's position.
        var again: [Int: [JourneyCallback]] = [:]
        for (index, node) in nodes.enumerated() {
            let own = Array(rest.prefix(node.callbackCount))
            rest = rest.dropFirst(node.callbackCount)
            switch node.take(own, into: &visit) {
            case .outcome(let taken): outcome = taken
            case .again(let callbacks): again[index] = callbacks
            case .invalid: return .fail(.emptyAnswer)
            }
        }
        guard again.isEmpty else {
            return .ask(nodes.enumerated().flatMap { again[$0.offset] ?? $0.element.callbacks(for: visit) })
        }
        return outcome.map { .outcome($0) } ?? .fail(.emptyAnswer)
    }
}
