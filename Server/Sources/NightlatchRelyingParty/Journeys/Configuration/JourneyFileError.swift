public import NightlatchWire

/// The reason why a journey file is refused. No part of the file is used; correct it and load it again.
public struct JourneyFileError: Error, Hashable, Sendable {
    /// The place of the problem: the names of members from the outside in, joined by dots; empty for the whole file.
    public let place: String
    public let problem: Problem

    /// The problem at this place.
    public enum Problem: Hashable, Sendable {
        /// It is not strict JSON.
        case notJSON(StrictJSONError)
        /// The value has the wrong form; the text describes the right form.
        case notA(String)
        /// A required member is missing.
        case missing(String)
        /// A member is unknown here: misspelt, or from another version.
        case unknownMember(String)
        /// No node has this type.
        case unknownNodeType(String)
        /// PingAM runs a script in such a node. This server runs no scripts.
        case scriptsUnsupported
        /// The node has this outcome, but the file names no target for it.
        case outcomeLeadsNowhere(String)
        /// The node has no such outcome.
        case unknownOutcome(String)
        /// No node has this name.
        case noSuchNode(String)
        /// Only the server chooses this outcome; clients may not.
        case serverOutcome(String)
        /// No app may use the node: name the apps in `applicationIds`.
        case noApplications
        /// This version cannot verify attestation, so a node must not ask for it.
        case attestationUnsupported
        /// The challenge comes from the state, but no attribute is named.
        case noChallengeAttribute
        /// A node reads this attribute, but no node of the journey writes it: its name may be misspelt.
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
        case .notJSON(.duplicateMember(let name)): "contains “\(name)” twice"
        case .notJSON(.malformed(let offset)): "is not valid JSON at byte \(offset)"
        case .notJSON: "is too large or too deeply nested"
        case .notA(let kind): "must be \(kind)"
        case .missing(let name): "“\(name)” is missing"
        case .unknownMember(let name): "has an unknown member “\(name)”"
        case .unknownNodeType(let type): "there is no node type “\(type)”"
        case .scriptsUnsupported:
            """
            scripts are not run: compare attributes with StateDecisionNode, show a text with MessageNode, or let your \
            backend decide with BackendDecisionNode
            """
        case .outcomeLeadsNowhere(let outcome): "its outcome “\(outcome)” has no target"
        case .unknownOutcome(let outcome): "has no outcome “\(outcome)”"
        case .noSuchNode(let node): "there is no node “\(node)” in this journey"
        case .serverOutcome(let outcome): "a client may not choose the outcome “\(outcome)”"
        case .noApplications: "no app may use it: add “applicationIds” to this node or to the file"
        case .attestationUnsupported: "this version does not verify attestation: set it to false"
        case .noChallengeAttribute:
            "the challenge is not random: set “sharedStateAttribute” to the attribute that holds it"
        case .attributeNeverWritten(let name): "no node of this journey writes the attribute “\(name)”"
        case .notForPages(let node): "the node “\(node)” cannot be on a page: only collector nodes can"
        case .noReadyMadeJourney(let name): "there is no ready-made journey “\(name)”"
        }
    }
}
