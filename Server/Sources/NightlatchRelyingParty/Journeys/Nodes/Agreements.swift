import NightlatchWire

/// Asks for agreement to the terms of use, until the client agrees.
struct AcceptTermsAndConditionsNode: CollectorNode {
    let version: String
    let terms: LocalizedText
    let createdAt: String
    var outcomes: [String] { [done] }

    /// The attribute that stores the version of the accepted terms.
    static let attribute = "termsAccepted"
    private static let callbackType = "TermsAndConditionsCallback"

    func callbacks(for visit: JourneyVisit) -> [JourneyCallback] {
        [
            JourneyCallback(
                Self.callbackType,
                outputs: [
                    .init("version", .string(version)),
                    .init("terms", .string(terms.text(for: visit.surroundings.languages))),
                    .init("createDate", .string(createdAt)),
                ],
                inputs: [.init("", .bool(false))])
        ]
    }

    func take(_ answers: [CallbackAnswer], into visit: inout JourneyVisit) -> CollectorStep {
        guard answers.first?.isAgreement(in: Self.callbackType) == true else { return .again(callbacks(for: visit)) }
        visit.state.attributes[Self.attribute] = version
        return .outcome(done)
    }
}

/// Asks for consent to share data, until the client consents to everything that is required.
struct ConsentNode: CollectorNode {
    let mappings: [Mapping]
    let message: LocalizedText
    var outcomes: [String] { [done] }
    var callbackCount: Int { mappings.count }

    /// The beginning of the attributes that store consents.
    static let attributePrefix = "consentedMappings/"
    private static let callbackType = "ConsentMappingCallback"

    /// The data that one recipient gets.
    struct Mapping: Hashable, Sendable {
        let name: String
        let title: LocalizedText
        let icon: String
        let accessLevel: String
        let isRequired: Bool
        let fields: [String]

        /// The attribute that stores whether the client has consented.
        var attribute: String { ConsentNode.attributePrefix + name }
    }

    func callbacks(for visit: JourneyVisit) -> [JourneyCallback] {
        let languages = visit.surroundings.languages
        return mappings.map { mapping in
            JourneyCallback(
                Self.callbackType,
                outputs: [
                    .init("name", .string(mapping.name)),
                    .init("displayName", .string(mapping.title.text(for: languages))),
                    .init("icon", .string(mapping.icon)),
                    .init("accessLevel", .string(mapping.accessLevel)),
                    .init("isRequired", .bool(mapping.isRequired)),
                    .init("message", .string(message.text(for: languages))),
                    .init("fields", .array(mapping.fields.map(JSONValue.string))),
                ],
                inputs: [.init("", .bool(false))])
        }
    }

    func take(_ answers: [CallbackAnswer], into visit: inout JourneyVisit) -> CollectorStep {
        let agreements = zip(mappings, answers.map { $0.isAgreement(in: Self.callbackType) })
        guard agreements.allSatisfy({ $0.1 || !$0.0.isRequired }) else { return .again(callbacks(for: visit)) }
        for (mapping, agrees) in agreements { visit.state.attributes[mapping.attribute] = String(agrees) }
        return .outcome(done)
    }
}

extension CallbackAnswer {
    /// Whether an input is true. One of Ping's SDKs sends Boolean values as strings.
    fileprivate func isAgreement(in type: String) -> Bool {
        value(in: type).flatMap { EnteredValue($0, as: .boolean) } == .boolean(true)
    }
}
