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
        default: throw JourneyFileError(.unknownNodeType(type), at: path)
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
        return .page(
            PageNode(
                collectors: collectors, stage: try object.text("stage"), header: try optionalText("header", in: object),
                text: try optionalText("description", in: object)))
    }

    private func textInput(_ object: JourneyFileObject) throws(JourneyFileError) -> JourneyNode {
        let attribute = try object.requiredText("attribute")
        // The prefixes of the attributes that nodes write are reserved.
        let reserved = [JourneyState.Attribute.signed.reserved, JourneyState.Attribute.bound.reserved]
        guard !attribute.isEmpty, !reserved.contains(where: attribute.hasPrefix) else {
            throw JourneyFileError(.notA("a name that is not reserved for a node"), at: object.path("attribute"))
        }
        return .textInput(
            TextInputNode(
                prompt: try object.localizedText("prompt", default: "Provide some information"), attribute: attribute))
    }

    private func choice(_ object: JourneyFileObject) throws(JourneyFileError) -> JourneyNode {
        guard let choices = try object.texts("choices"), !choices.isEmpty else {
            throw JourneyFileError(.missing("choices"), at: object.place)
        }
        return .choice(
            ChoiceCollectorNode(
                prompt: try object.localizedText("prompt", default: "Choose"), choices: choices,
                defaultChoice: try object.integer("defaultChoice", in: 0...(choices.count - 1), default: 0)))
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
