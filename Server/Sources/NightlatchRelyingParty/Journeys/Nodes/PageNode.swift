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

    private var nodes: [any CollectorNode] { collectors.compactMap { $0.behaviour as? any CollectorNode } }

    func texts(for languages: AcceptedLanguages) -> Texts {
        Texts(stage: stage, header: header?.text(for: languages), description: text?.text(for: languages))
    }

    func step(_ visit: inout JourneyVisit, answers: [CallbackAnswer]?) -> JourneyNodeStep {
        let languages = visit.surroundings.languages
        guard let answers else { return .ask(nodes.map { $0.callback(for: languages) }) }
        var outcome: String?
        for (node, answer) in zip(nodes, answers) {
            outcome = node.take(answer, into: &visit)
            guard outcome != nil else { return .fail(.emptyAnswer) }
        }
        return outcome.map { .outcome($0) } ?? .fail(.emptyAnswer)
    }
}
