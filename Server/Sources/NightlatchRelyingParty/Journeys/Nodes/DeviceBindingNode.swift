import NightlatchWire

/// Lets the client make a key, and binds it to the authenticated user of the journey.
struct DeviceBindingNode: JourneyNodeBehaviour {
    let protection: JourneyKeyProtection
    /// The largest number of keys of a user; nil for the general limit.
    let deviceLimit: Int?
    /// Whether a storage node binds the key later.
    let postponesStorage: Bool
    let prompt: DevicePrompt

    private static let callbackType = "DeviceBindingCallback"

    static let ownOutcomes = ["success", "failure", "exceedDeviceLimit"]

    var outcomes: [String] {
        ["success", "failure"] + (deviceLimit == nil ? [] : ["exceedDeviceLimit"]) + prompt.clientErrors
    }

    func step(_ visit: inout JourneyVisit, answers: [CallbackAnswer]?) -> JourneyNodeStep {
        // A key is bound only to an authenticated user.
        guard let user = visit.state.user else { return .fail(.noUser) }
        // A list of a user's keys is not paged, so their number is always limited.
        let limit = deviceLimit ?? ActiveDeviceLimit.range.upperBound
        guard let devices = visit.facts.devices[user] else { return .need(.devices(of: user)) }
        let names = visit.request.keyNames(of: user, stored: devices)
        let exceeded = JourneyNodeStep.outcome(deviceLimit == nil ? "failure" : "exceedDeviceLimit", .tooManyDevices)
        // A user with exactly as many keys as permitted is still asked: the new key may replace one of them.
        guard names.count <= limit else { return exceeded }
        guard let answer = answers?.first else {
            let challenge = visit.surroundings.makeChallenge()
            visit.state.challenge = challenge
            return .ask([callback(for: user, challenge: challenge, visit.surroundings)])
        }
        let message = answer.text(of: "jws", in: Self.callbackType)
        let machine = answer.text(of: "deviceId", in: Self.callbackType)
        guard !message.isEmpty, !machine.isEmpty else {
            return prompt.step(onClientError: answer.text(of: "clientError", in: Self.callbackType))
        }
        do throws(JourneyRefusal) {
            guard !visit.facts.isMessageUsed else { throw .messageUsed }
            let (device, verified) = try device(
                message, machine: machine, name: answer.text(of: "deviceName", in: Self.callbackType), user: user,
                visit)
            guard names.subtracting([device.id]).count < limit else {
                visit.request.messages.append(verified.use)
                return exceeded
            }
            let question = JourneyQuestion.isKeyTaken(device.key.thumbprint, as: device.id, of: user)
            guard let isTaken = visit.facts.takenKeys[question] else { return .need(question) }
            visit.request.messages.append(verified.use)
            guard !isTaken, !visit.request.bindings.contains(where: { $0.isSameKey(as: device) }) else {
                throw .keyTaken
            }
            let binding = JourneyBinding(device: device, limit: limit, claims: verified.claims.customText)
            visit.state.leave(binding, verified.claims, isPostponed: postponesStorage)
            if !postponesStorage { visit.request.bindings.append(binding) }
            return .outcome("success")
        } catch {
            return .outcome("failure", error)
        }
    }

    private func callback(
        for user: UserID,
        challenge: String,
        _ surroundings: JourneySurroundings
    ) -> JourneyCallback {
        JourneyCallback(
            Self.callbackType,
            outputs: [
                .init("userId", .string(surroundings.realm.universalID(of: user))),
                .init("username", .string(user.rawValue)),
                .init("authenticationType", .string(protection.rawValue)),
                .init("challenge", .string(challenge)),
            ] + prompt.outputs(for: surroundings.languages) + [.init("attestation", .bool(false))],
            inputs: ["jws", "deviceName", "deviceId", "clientError"].map { .init($0, .string("")) })
    }

    private func device(
        _ message: String,
        machine: String,
        name: String,
        user: UserID,
        _ visit: JourneyVisit
    ) throws(JourneyRefusal) -> (JourneyDevice, VerifiedJourneyBinding) {
        guard let challenge = visit.state.challenge else { throw .noChallenge }
        guard let machine = MachineID(rawValue: machine) else { throw .malformedMessage }
        let surroundings = visit.surroundings
        let verified = try VerifiedJourneyBinding(
            message,
            expecting: prompt.expectation(of: surroundings.realm.universalID(of: user), challenge: challenge),
            now: surroundings.now)
        let device = JourneyDevice(
            id: verified.id, user: user, application: verified.application, key: verified.key,
            algorithm: verified.algorithm, machine: machine, name: DeviceName(cutting: name) ?? Self.defaultName,
            boundAt: surroundings.now, lastAccessAt: surroundings.now, protection: protection)
        return (device, verified)
    }

    /// The name of a device for which the client gave no name, or a name that cannot be displayed.
    private static var defaultName: DeviceName {
        guard let name = DeviceName(rawValue: "Device Name") else { preconditionFailure("not a device name") }
        return name
    }
}
