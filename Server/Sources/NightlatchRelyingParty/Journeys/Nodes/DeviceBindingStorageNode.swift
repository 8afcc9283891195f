import NightlatchWire

/// Binds the key that a binding node has verified and stored in the state.
struct DeviceBindingStorageNode: JourneyNodeBehaviour {
    var outcomes: [String] { ["true", "false"] }

    func step(_ visit: inout JourneyVisit, answers: [CallbackAnswer]?) -> JourneyNodeStep {
        guard let binding = visit.state.pendingBinding, binding.device.user == visit.state.user else {
            return .outcome("false", .noPendingDevice)
        }
        let user = binding.device.user
        guard let devices = visit.facts.devices[user] else { return .need(.devices(of: user)) }
        let others = visit.request.keyNames(of: user, stored: devices).subtracting([binding.device.id])
        if let limit = binding.limit, others.count >= limit {
            return .outcome("false", .tooManyDevices)
        }
        // The binding node checked this too, but that may have been minutes ago.
        let question = JourneyQuestion.isKeyTaken(
            binding.device.key.thumbprint, as: binding.device.id, of: user)
        guard let isTaken = visit.facts.takenKeys[question] else { return .need(question) }
        guard !isTaken, !visit.request.bindings.contains(where: { $0.isSameKey(as: binding.device) }) else {
            return .outcome("false", .keyTaken)
        }
        visit.state.forgetPendingBinding()
        visit.request.bindings.append(binding)
        return .outcome("true")
    }
}
