public import NightlatchWire

/// Why a file of journeys is refused. Nothing of it is used; it is mended and loaded again.
public struct JourneyFileError: Error, Hashable, Sendable {
    /// Where, as the names of members from the outside in, joined by dots; empty for the whole file.
    public let place: String
    public let problem: Problem

    /// What is wrong there.
    public enum Problem: Hashable, Sendable {
        /// It is not strict JSON.
        case notJSON(StrictJSONError)
        /// It is not what belongs there; the text says what does.
        case notA(String)
        /// A member that must be there is not.
        case missing(String)
        /// A member that means nothing here: misspelt, or of another version.
        case unknownMember(String)
        /// There is no node of this type.
        case unknownNodeType(String)
        /// The node has this outcome, and nothing says where it leads.
        case outcomeLeadsNowhere(String)
        /// The node has no such outcome.
        case unknownOutcome(String)
        /// There is no node of this name.
        case noSuchNode(String)
        /// A client may not choose this outcome: it is the server's own.
        case serverOutcome(String)
        /// Nothing says which apps may use the node: name them in `applicationIds`.
        case noApplications
        /// Attestation is not checked by this version, so it cannot be asked for.
        case attestationUnsupported
        /// The challenge is to come from the state, and nothing says from which attribute.
        case noChallengeAttribute
        /// A node reads this attribute, and no node of the journey writes it: its name may be misspelt.
        case attributeNeverWritten(String)
        /// A page cannot hold this node.
        case notForPages(String)
        /// There is no ready-made journey of this name.
        case noReadyMadeJourney(String)
    }

    init(_ problem: Problem, at place: String) {
        self.place = place
        self.problem = problem
    }
}

extension JourneyFileError: CustomStringConvertible {
    public var description: String { (place.isEmpty ? "" : place + ": ") + sentence }

    private var sentence: String {
        switch problem {
        case .notJSON(.duplicateMember(let name)): "says “\(name)” twice"
        case .notJSON(.malformed(let offset)): "is no JSON from byte \(offset) on"
        case .notJSON: "is larger or deeper than any file of journeys"
        case .notA(let kind): "must be \(kind)"
        case .missing(let name): "lacks “\(name)”"
        case .unknownMember(let name): "says “\(name)”, which means nothing here"
        case .unknownNodeType(let type): "there is no node type “\(type)”"
        case .outcomeLeadsNowhere(let outcome): "its outcome “\(outcome)” leads nowhere"
        case .unknownOutcome(let outcome): "has no outcome “\(outcome)”"
        case .noSuchNode(let node): "there is no node “\(node)” in this journey"
        case .serverOutcome(let outcome): "a client may not choose the outcome “\(outcome)”"
        case .noApplications: "no app may use it: name them in “applicationIds”, here or for all"
        case .attestationUnsupported: "attestation is not checked by this version: set it to false"
        case .noChallengeAttribute: "the challenge is not random, so “sharedStateAttribute” must name where it is"
        case .attributeNeverWritten(let name): "no node of this journey writes the attribute “\(name)”"
        case .notForPages(let node): "the node “\(node)” cannot be on a page: it is none that only collects"
        case .noReadyMadeJourney(let name): "there is no ready-made journey “\(name)”"
        }
    }
}
