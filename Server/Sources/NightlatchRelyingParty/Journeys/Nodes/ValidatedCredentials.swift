import NightlatchWire

/// Asks for the user name of a new user, and checks that it can be one.
struct ValidatedUsernameNode: CollectorNode {
    let prompt: LocalizedText
    private let input = CheckedInput(
        type: "ValidatedCreateUsernameCallback", name: "userName", kind: .string, isRequired: true,
        policies: [.userID], showsPolicies: true)
    var outcomes: [String] { [done] }

    init(prompt: LocalizedText) {
        self.prompt = prompt
    }

    func callbacks(for visit: JourneyVisit) -> [JourneyCallback] {
        [callback(value: visit.state.username ?? "", failed: [], visit)]
    }

    func take(_ answers: [CallbackAnswer], into visit: inout JourneyVisit) -> CollectorStep {
        guard let entry = answers.first.flatMap(input.read) else { return .invalid }
        let name = entry.value?.text ?? ""
        guard entry.isAccepted else { return .again([callback(value: name, failed: entry.failed, visit)]) }
        UsernameCollectorNode.keep(name, in: &visit)
        return .outcome(done)
    }

    private func callback(value: String, failed: [EntryPolicy], _ visit: JourneyVisit) -> JourneyCallback {
        JourneyCallback(
            input.type,
            outputs: input.policyOutputs(failed) + [
                .init("prompt", .string(prompt.text(for: visit.surroundings.languages)))
            ],
            inputs: input.inputs(.string(value)))
    }
}

/// Asks for the password of a new user, and checks it. As for ``PasswordCollectorNode``, the password is dropped when
/// the request ends.
struct ValidatedPasswordNode: CollectorNode {
    let prompt: LocalizedText
    private let input: CheckedInput
    var outcomes: [String] { [done] }

    init(prompt: LocalizedText, policies: [EntryPolicy]) {
        self.prompt = prompt
        input = CheckedInput(
            type: "ValidatedCreatePasswordCallback", name: "password", kind: .string, isRequired: true,
            policies: policies, showsPolicies: true)
    }

    func callbacks(for visit: JourneyVisit) -> [JourneyCallback] { [callback(failed: [], visit)] }

    func take(_ answers: [CallbackAnswer], into visit: inout JourneyVisit) -> CollectorStep {
        guard let entry = answers.first.flatMap(input.read) else { return .invalid }
        let password = entry.value.flatMap { Password(rawValue: $0.text) }
        guard entry.isAccepted, let password else {
            let isMalformed = entry.value != nil && password == nil
            let failed: [EntryPolicy] = isMalformed ? [.type(.string)] : entry.failed
            return .again([callback(failed: failed, visit)])
        }
        visit.request.password = password
        return .outcome(done)
    }

    private func callback(failed: [EntryPolicy], _ visit: JourneyVisit) -> JourneyCallback {
        JourneyCallback(
            input.type,
            outputs: [.init("echoOn", .bool(false))] + input.policyOutputs(failed) + [
                .init("prompt", .string(prompt.text(for: visit.surroundings.languages)))
            ],
            inputs: input.inputs(.string("")))
    }
}
