/// The state attributes that the nodes of a journey write, and those that they read.
struct JourneyAttributes {
    private let places: [String: JourneyTree.Place]

    init(_ places: [String: JourneyTree.Place]) {
        self.places = places
    }

    /// Refuses a node that reads an attribute which no node writes.
    ///
    /// A decision on a misspelt attribute would always have the same outcome.
    ///
    /// The app chooses the names of claims, so this checks only that some node may write claims.
    ///
    /// - Parameter nodes: The nodes object of the file, for the error's place.
    func check(at nodes: JourneyFileObject) throws(JourneyFileError) {
        let written = Set(places.values.flatMap { $0.node.writtenAttributes })
        let claims = places.values.flatMap { $0.node.writtenClaims }.flatMap { [$0.texts, $0.others] }
        for (name, place) in places.sorted(by: { $0.key < $1.key }) {
            for attribute in place.node.readAttributes
            where !written.contains(attribute) && !claims.contains(where: attribute.hasPrefix) {
                throw JourneyFileError(.attributeNeverWritten(attribute), at: nodes.path(name))
            }
        }
    }
}

extension JourneyNode {
    /// The attribute that holds the text that the node lets the client sign; nil for a random challenge.
    var signedAttribute: String? {
        guard case .deviceSigningVerifier(let node) = self, case .attribute(let name) = node.challengeSource else {
            return nil
        }
        return name
    }

    fileprivate var readAttributes: [String] {
        if case .backendDecision(let node) = self { return node.attributes }
        guard case .stateDecision(let node) = self else { return [signedAttribute].compactMap(\.self) }
        return switch node.expected {
        case .text: [node.attribute]
        case .attribute(let other): [node.attribute, other]
        }
    }

    fileprivate var writtenAttributes: [String] {
        switch self {
        case .page(let page): page.collectors.flatMap(\.writtenAttributes)
        case .textInput(let node): [node.attribute]
        case .message(let node): [node.attribute].compactMap(\.self)
        case .attributes(let node): node.attributes.map(\.input.name)
        case .terms: [AcceptTermsAndConditionsNode.attribute]
        case .consent(let node): node.mappings.map(\.attribute)
        case .deviceSigningVerifier:
            [JourneyState.Attribute.signingFailure, JourneyState.Attribute.signingProtection]
        default: []
        }
    }

    fileprivate var writtenClaims: [JourneyState.SignedClaims] {
        switch self {
        case .deviceBinding: [JourneyState.Attribute.bound]
        case .deviceSigningVerifier: [JourneyState.Attribute.signed]
        default: []
        }
    }
}
