import NightlatchWire

/// Asks for values about the user and stores them in the journey's state.
///
/// A ``CreateObjectNode`` stores the attributes that are part of a ``UserProfile``. The others are lost at the end of
/// the journey, unless a ``BackendDecisionNode`` sends them to the app's backend.
///
/// The client is asked again while a required value is missing, a value breaks a policy, or the client only wants its
/// values to be checked.
struct AttributeCollectorNode: CollectorNode {
    let attributes: [Attribute]
    var outcomes: [String] { [done] }
    var callbackCount: Int { attributes.count }

    struct Attribute: Hashable, Sendable {
        let prompt: LocalizedText
        let input: CheckedInput

        func callback(value: JSONValue?, failed: [EntryPolicy], _ languages: AcceptedLanguages) -> JourneyCallback {
            let value = value ?? input.kind.unanswered
            return JourneyCallback(
                input.type,
                outputs: [
                    .init("name", .string(input.name)), .init("prompt", .string(prompt.text(for: languages))),
                    .init("required", .bool(input.isRequired)),
                ] + input.policyOutputs(failed) + [.init("value", value)],
                inputs: input.inputs(value))
        }
    }

    func callbacks(for visit: JourneyVisit) -> [JourneyCallback] {
        attributes.map { attribute in
            let stored = visit.state.attributes[attribute.input.name].flatMap {
                EnteredValue(.string($0), as: attribute.input.kind)
            }
            return attribute.callback(value: stored?.json, failed: [], visit.surroundings.languages)
        }
    }

    func take(_ answers: [CallbackAnswer], into visit: inout JourneyVisit) -> CollectorStep {
        var entries: [CheckedInput.Entry] = []
        for (attribute, answer) in zip(attributes, answers) {
            guard let entry = attribute.input.read(answer) else { return .invalid }
            entries.append(entry)
        }
        guard entries.allSatisfy(\.isAccepted) else {
            return .again(
                zip(attributes, entries).map { attribute, entry in
                    attribute.callback(value: entry.value?.json, failed: entry.failed, visit.surroundings.languages)
                })
        }
        for (attribute, entry) in zip(attributes, entries) {
            visit.state.attributes[attribute.input.name] = entry.value?.text
        }
        return .outcome(done)
    }
}
