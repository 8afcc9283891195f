import NightlatchWire

/// Parses the nodes of a file, with PingAM's defaults.
struct NodeReader {
    let applications: Set<String>

    private static let promptNames: Set<String> = [
        "applicationIds", "title", "subtitle", "description", "timeout", "clientErrorOutcomes",
    ]

    /// - Parameters:
    ///   - value: The value in the file.
    ///   - path: The place of the value.
    ///   - extra: Further permitted members, which describe the node's place in the journey, such as `outcomes`.
    func node(_ value: JSONValue, at path: String, extra: Set<String> = []) throws(JourneyFileError) -> JourneyNode {
        let type = try JourneyFileObject(value, at: path).requiredText("type")
        func object(_ names: Set<String>) throws(JourneyFileError) -> JourneyFileObject {
            try JourneyFileObject(value, at: path, allowing: names.union(extra).union(["type"]))
        }
        switch type {
        case "PageNode": return try page(object(["nodes", "stage", "header", "description"]))
        case "UsernameCollectorNode":
            let prompt = try object(["prompt"]).localizedText("prompt", default: "User Name")
            return .username(UsernameCollectorNode(prompt: prompt))
        case "PasswordCollectorNode":
            let prompt = try object(["prompt"]).localizedText("prompt", default: "Password")
            return .password(PasswordCollectorNode(prompt: prompt))
        case "TextInputNode": return try textInput(object(["prompt", "attribute"]))
        case "ChoiceCollectorNode": return try choice(object(["prompt", "choices", "defaultChoice"]))
        case "MessageNode": return try message(object(["message", "messageYes", "messageNo", "stateField"]))
        case "DataStoreDecisionNode":
            _ = try object([])
            return .credentialsDecision(DataStoreDecisionNode())
        case "StateDecisionNode": return try stateDecision(object(["attribute", "equals", "equalsAttribute"]))
        case "DeviceBindingNode":
            return try binding(
                object(
                    Self.promptNames.union([
                        "authenticationType", "maxSavedDevices", "attestation", "postponeDeviceProfileStorage",
                    ])))
        case "DeviceSigningVerifierNode":
            return try signing(
                object(Self.promptNames.union(["challenge", "sharedStateAttribute", "captureFailure"])))
        case "DeviceBindingStorageNode":
            _ = try object([])
            return .deviceBindingStorage(DeviceBindingStorageNode())
        case "BackendDecisionNode":
            return try backendDecision(object(["url", "timeout", "attributes", "outcomes"]))
        case "ScriptedDecisionNode": throw JourneyFileError(.scriptsUnsupported, at: path)
        default:
            guard let node = try registrationNode(type, object) else {
                throw JourneyFileError(.unknownNodeType(type), at: path)
            }
            return node
        }
    }

    private func page(_ object: JourneyFileObject) throws(JourneyFileError) -> JourneyNode {
        guard let values = object.value("nodes")?.array, !values.isEmpty, values.count <= 16 else {
            throw JourneyFileError(.notA("a list of 1 to 16 nodes"), at: object.path("nodes"))
        }
        var collectors: [JourneyNode] = []
        for (index, value) in values.enumerated() {
            let path = object.path("nodes") + ".\(index)"
            let node = try node(value, at: path)
            guard node.behaviour is any CollectorNode else {
                throw JourneyFileError(.notForPages(value["type"]?.string ?? ""), at: path)
            }
            // Only the last node's outcome determines where the page leads.
            guard index == values.count - 1 || node.behaviour.outcomes.count == 1 else {
                throw JourneyFileError(.notA("the last node of the page, because it has several outcomes"), at: path)
            }
            collectors.append(node)
        }
        let page = PageNode(
            collectors: collectors, stage: try object.text("stage"), header: try optionalText("header", in: object),
            text: try optionalText("description", in: object))
        guard page.callbackCount <= CallbackAnswers.callbackLimit else {
            throw JourneyFileError(
                .notA("a list of nodes with at most \(CallbackAnswers.callbackLimit) callbacks"),
                at: object.path("nodes"))
        }
        return .page(page)
    }

    private func textInput(_ object: JourneyFileObject) throws(JourneyFileError) -> JourneyNode {
        let attribute = try object.requiredText("attribute")
        return .textInput(
            TextInputNode(
                prompt: try object.localizedText("prompt", default: "Provide some information"),
                attribute: try free(attribute, at: object.path("attribute"))))
    }

    /// Returns the name of an attribute if no node reserves it for itself.
    func free(_ attribute: String, at place: String) throws(JourneyFileError) -> String {
        // The prefixes of the attributes that nodes write are reserved.
        let reserved = [
            JourneyState.Attribute.signed.reserved, JourneyState.Attribute.bound.reserved,
            AcceptTermsAndConditionsNode.attribute, ConsentNode.attributePrefix,
        ]
        guard !attribute.isEmpty, !reserved.contains(where: attribute.hasPrefix) else {
            throw JourneyFileError(.notA("a name that is not reserved for a node"), at: place)
        }
        return attribute
    }

    private func message(_ object: JourneyFileObject) throws(JourneyFileError) -> JourneyNode {
        let attribute = try object.text("stateField")
        return .message(
            MessageNode(
                message: try object.localizedText("message", default: "Default message"),
                positive: try object.localizedText("messageYes", default: "Yes"),
                negative: try object.localizedText("messageNo", default: "No"),
                attribute: try attribute.map { name throws(JourneyFileError) in
                    try free(name, at: object.path("stateField"))
                }))
    }

    private func choice(_ object: JourneyFileObject) throws(JourneyFileError) -> JourneyNode {
        guard let choices = try object.texts("choices"), !choices.isEmpty else {
            throw JourneyFileError(.missing("choices"), at: object.place)
        }
        return .choice(
            ChoiceCollectorNode(
                prompt: try object.localizedText("prompt", default: "Choose"), choices: choices,
                defaultChoice: try defaultChoice(of: choices, in: object)))
    }

    /// Returns the index of the default choice. The file has its name, as in PingAM, or its index. An unknown name
    /// means the first choice.
    private func defaultChoice(of choices: [String], in object: JourneyFileObject) throws(JourneyFileError) -> Int {
        if let name = object.value("defaultChoice")?.string { return choices.firstIndex(where: name.isExactly) ?? 0 }
        return try object.integer("defaultChoice", in: 0...(choices.count - 1), default: 0)
    }

    private func backendDecision(_ object: JourneyFileObject) throws(JourneyFileError) -> JourneyNode {
        // An issuer is an https address, or an http address of this machine, without user, query and fragment.
        guard let url = Issuer(rawValue: try object.requiredText("url")) else {
            throw JourneyFileError(
                .notA("an https address without a query, or an http address of this machine"), at: object.path("url"))
        }
        let wired = object.value("outcomes")?.object?.members.map(\.name) ?? []
        let choices = wired.filter { $0 != BackendDecisionNode.error }
        guard !choices.isEmpty else {
            throw JourneyFileError(
                .notA("an object with the outcomes that the backend may choose, and “error”"),
                at: object.path("outcomes"))
        }
        return .backendDecision(
            BackendDecisionNode(
                url: url.rawValue, timeout: .seconds(try object.integer("timeout", in: 1...10, default: 3)),
                choices: choices, attributes: try object.texts("attributes") ?? []))
    }

    private func stateDecision(_ object: JourneyFileObject) throws(JourneyFileError) -> JourneyNode {
        let (text, attribute) = (try object.text("equals"), try object.text("equalsAttribute"))
        let expected: StateDecisionNode.Expected
        switch (text, attribute) {
        case (let text?, nil): expected = .text(text)
        case (nil, let attribute?): expected = .attribute(attribute)
        default: throw JourneyFileError(.notA("either “equals” or “equalsAttribute”"), at: object.place)
        }
        return .stateDecision(
            StateDecisionNode(attribute: try object.requiredText("attribute"), expected: expected))
    }

    private func optionalText(_ name: String, in object: JourneyFileObject) throws(JourneyFileError) -> LocalizedText? {
        object.value(name) == nil ? nil : try object.localizedText(name, default: "")
    }
}
