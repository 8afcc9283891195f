import NightlatchWire

/// Parses the nodes for devices.
extension NodeReader {
    func binding(_ object: JourneyFileObject) throws(JourneyFileError) -> JourneyNode {
        let typeName = try object.text("authenticationType")
        guard let type = JourneyKeyProtection(rawValue: typeName ?? "BIOMETRIC_ALLOW_FALLBACK") else {
            let names = JourneyKeyProtection.allCases.map(\.rawValue).joined(separator: ", ")
            throw JourneyFileError(.notA("one of \(names)"), at: object.path("authenticationType"))
        }
        guard try !object.bool("attestation", default: false) else {
            throw JourneyFileError(.attestationUnsupported, at: object.path("attestation"))
        }
        let limit = try object.integer("maxSavedDevices", in: 0...ActiveDeviceLimit.range.upperBound, default: 0)
        return .deviceBinding(
            DeviceBindingNode(
                protection: type, deviceLimit: limit == 0 ? nil : limit,
                postponesStorage: try object.bool("postponeDeviceProfileStorage", default: false),
                prompt: try prompt(
                    object, errors: ["Unsupported", "Abort", "Timeout"], own: DeviceBindingNode.ownOutcomes)))
    }

    func signing(_ object: JourneyFileObject) throws(JourneyFileError) -> JourneyNode {
        let attribute = try object.text("sharedStateAttribute") ?? ""
        let isRandom = try object.bool("challenge", default: true)
        guard isRandom || !attribute.isEmpty else {
            throw JourneyFileError(.noChallengeAttribute, at: object.place)
        }
        return .deviceSigningVerifier(
            DeviceSigningVerifierNode(
                challengeSource: isRandom ? .random : .attribute(attribute),
                capturesFailure: try object.bool("captureFailure", default: false),
                prompt: try prompt(
                    object, errors: ["Unsupported", "Abort", "Timeout", "ClientNotRegistered"],
                    own: DeviceSigningVerifierNode.ownOutcomes)))
    }

    private func prompt(
        _ object: JourneyFileObject,
        errors: [String],
        own: [String]
    ) throws(JourneyFileError) -> DevicePrompt {
        let applications = try object.texts("applicationIds").map { Set($0) } ?? applications
        guard !applications.isEmpty else { throw JourneyFileError(.noApplications, at: object.place) }
        let clientErrors = try object.texts("clientErrorOutcomes") ?? errors
        if let foreign = clientErrors.first(where: own.contains) {
            throw JourneyFileError(.serverOutcome(foreign), at: object.path("clientErrorOutcomes"))
        }
        return DevicePrompt(
            applications: applications,
            title: try object.localizedText("title", default: "Authentication required"),
            subtitle: try object.localizedText("subtitle", default: "Cryptography device binding"),
            text: try object.localizedText("description", default: "Please complete with biometric to proceed"),
            timeoutSeconds: try object.integer("timeout", in: 1...3600, default: 60), clientErrors: clientErrors)
    }
}
