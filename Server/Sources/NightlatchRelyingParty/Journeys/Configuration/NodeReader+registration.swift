import NightlatchWire

/// Parses the nodes of PingAM's trees for registration.
extension NodeReader {
    /// - Parameters:
    ///   - type: The node's type.
    ///   - object: Returns the node's object, in which only the given members are permitted.
    /// - Returns: The node; nil if the type is none of these.
    func registrationNode(
        _ type: String,
        _ object: (Set<String>) throws(JourneyFileError) -> JourneyFileObject
    ) throws(JourneyFileError) -> JourneyNode? {
        switch type {
        case "AttributeCollectorNode":
            return try attributes(object(["attributesToCollect", "required", "validateInputs"]))
        case "ValidatedUsernameNode":
            let node = try object(["prompt", "validateInput"])
            let prompt = try node.localizedText("prompt", default: "Username")
            return try node.bool("validateInput", default: false)
                ? JourneyNode.validatedUsername(ValidatedUsernameNode(prompt: prompt))
                : JourneyNode.username(UsernameCollectorNode(prompt: prompt))
        case "ValidatedPasswordNode":
            let node = try object(["prompt", "validateInput", "minLength", "maxLength"])
            let prompt = try node.localizedText("prompt", default: "Password")
            let isValidated = try node.bool("validateInput", default: false)
            if !isValidated { try refuse(["minLength", "maxLength"], in: node) }
            return try isValidated
                ? JourneyNode.validatedPassword(
                    ValidatedPasswordNode(prompt: prompt, policies: lengths(in: node, default: 8)))
                : JourneyNode.password(PasswordCollectorNode(prompt: prompt))
        case "AcceptTermsAndConditionsNode": return try terms(object(["version", "terms", "createDate"]))
        case "ConsentNode": return try consent(object(["mappings", "message"]))
        case "CreateObjectNode":
            _ = try object([])
            return .creation(CreateObjectNode())
        default: return nil
        }
    }

    private func attributes(_ object: JourneyFileObject) throws(JourneyFileError) -> JourneyNode {
        let place = object.path("attributesToCollect")
        guard let values = object.value("attributesToCollect")?.array,
            (1...CallbackAnswers.callbackLimit).contains(values.count)
        else {
            throw JourneyFileError(.notA("a list of 1 to \(CallbackAnswers.callbackLimit) attributes"), at: place)
        }
        let isRequired = try object.bool("required", default: false)
        let isValidated = try object.bool("validateInputs", default: false)
        var attributes: [AttributeCollectorNode.Attribute] = []
        for (index, value) in values.enumerated() {
            let attribute = try attribute(
                value, at: place + ".\(index)", isRequired: isRequired, isValidated: isValidated)
            guard !attributes.contains(where: { $0.input.name == attribute.input.name }) else {
                throw JourneyFileError(.notA("a list of different attributes"), at: place)
            }
            attributes.append(attribute)
        }
        return .attributes(AttributeCollectorNode(attributes: attributes))
    }

    /// The attributes of PingAM's default trees, with their prompts.
    private static let known: [String: (prompt: String, kind: EnteredValue.Kind, policies: [EntryPolicy])] = [
        "givenName": ("First Name", .string, []), "sn": ("Last Name", .string, []),
        "mail": ("Email Address", .string, [.email]), "telephoneNumber": ("Telephone Number", .string, []),
        "preferences/marketing": ("Send me special offers and services", .boolean, []),
        "preferences/updates": ("Send me news and updates", .boolean, []),
    ]

    /// Parses an attribute: a name, as in PingAM, or an object with a name and settings.
    private func attribute(
        _ value: JSONValue,
        at place: String,
        isRequired: Bool,
        isValidated: Bool
    ) throws(JourneyFileError) -> AttributeCollectorNode.Attribute {
        let object = try JourneyFileObject(
            value.string.map { JSONValue.object([.init("name", .string($0))]) } ?? value, at: place,
            allowing: ["name", "type", "prompt", "minLength", "maxLength", "format", "minimum", "maximum"])
        let name = try free(object.requiredText("name"), at: object.path("name"))
        let known = Self.known[name]
        let kindName = try object.text("type") ?? (known?.kind ?? .string).rawValue
        guard let kind = EnteredValue.Kind(rawValue: kindName) else {
            throw JourneyFileError(.notA("“string”, “number” or “boolean”"), at: object.path("type"))
        }
        var policies = known?.kind == kind ? known?.policies ?? [] : []
        switch kind {
        case .string:
            policies += try lengths(in: object, default: nil)
            if let format = try object.text("format") {
                guard format == "email" else { throw JourneyFileError(.notA("“email”"), at: object.path("format")) }
                policies = policies.filter { $0 != .email } + [.email]
            }
        case .number:
            let (least, most) = (object.value("minimum")?.integer, object.value("maximum")?.integer)
            if let least, let most, least > most {
                throw JourneyFileError(.notA("a number of at least “minimum”"), at: object.path("maximum"))
            }
            if let least { policies.append(.minimum(least)) }
            if let most { policies.append(.maximum(most)) }
        case .boolean: break
        }
        let (ofTexts, ofNumbers) = (["minLength", "maxLength", "format"], ["minimum", "maximum"])
        // A policy of an attribute that is not validated would be ignored.
        if kind != .string || !isValidated { try refuse(ofTexts, in: object) }
        if kind != .number || !isValidated { try refuse(ofNumbers, in: object) }
        for bound in ["minimum", "maximum"] where object.value(bound) != nil && object.value(bound)?.integer == nil {
            throw JourneyFileError(.notA("a whole number"), at: object.path(bound))
        }
        let type =
            switch kind {
            case .string: "StringAttributeInputCallback"
            case .number: "NumberAttributeInputCallback"
            case .boolean: "BooleanAttributeInputCallback"
            }
        return AttributeCollectorNode.Attribute(
            prompt: try object.localizedText("prompt", default: known?.prompt ?? name),
            input: CheckedInput(
                type: type, name: name, kind: kind, isRequired: isRequired, policies: isValidated ? policies : [],
                showsPolicies: isValidated))
    }

    /// The policies for the length of a text, in Unicode scalars.
    private func lengths(
        in object: JourneyFileObject,
        default least: Int?
    ) throws(JourneyFileError) -> [EntryPolicy] {
        var policies: [EntryPolicy] = []
        let range = 1...2048
        let minimum = try object.integer("minLength", in: range, default: least ?? 1)
        if least != nil || object.value("minLength") != nil { policies.append(.minimumLength(minimum)) }
        if object.value("maxLength") != nil {
            policies.append(
                .maximumLength(try object.integer("maxLength", in: minimum...range.upperBound, default: minimum)))
        }
        return policies
    }

    /// Refuses settings that would have no effect.
    private func refuse(_ names: [String], in object: JourneyFileObject) throws(JourneyFileError) {
        if let name = names.first(where: object.names.contains) {
            throw JourneyFileError(.unknownMember(name), at: object.place)
        }
    }

    private func terms(_ object: JourneyFileObject) throws(JourneyFileError) -> JourneyNode {
        guard object.value("terms") != nil else { throw JourneyFileError(.missing("terms"), at: object.place) }
        return .terms(
            AcceptTermsAndConditionsNode(
                version: try object.requiredText("version"), terms: try object.localizedText("terms", default: ""),
                createdAt: try object.text("createDate") ?? ""))
    }

    private func consent(_ object: JourneyFileObject) throws(JourneyFileError) -> JourneyNode {
        let place = object.path("mappings")
        guard let values = object.value("mappings")?.array,
            (1...CallbackAnswers.callbackLimit).contains(values.count)
        else {
            throw JourneyFileError(.notA("a list of 1 to \(CallbackAnswers.callbackLimit) mappings"), at: place)
        }
        var mappings: [ConsentNode.Mapping] = []
        for (index, value) in values.enumerated() {
            let mapping = try JourneyFileObject(
                value, at: place + ".\(index)",
                allowing: ["name", "displayName", "icon", "accessLevel", "isRequired", "fields"])
            let name = try mapping.requiredText("name")
            guard !mappings.contains(where: { $0.name == name }) else {
                throw JourneyFileError(.notA("a list of different mappings"), at: place)
            }
            mappings.append(
                ConsentNode.Mapping(
                    name: name, title: try mapping.localizedText("displayName", default: name),
                    icon: try mapping.text("icon") ?? "", accessLevel: try mapping.text("accessLevel") ?? "",
                    isRequired: try mapping.bool("isRequired", default: false),
                    fields: try mapping.texts("fields") ?? []))
        }
        return .consent(
            ConsentNode(
                mappings: mappings,
                message: try object.localizedText("message", default: "")))
    }
}
