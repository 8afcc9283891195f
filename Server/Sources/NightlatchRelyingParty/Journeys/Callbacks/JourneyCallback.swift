package import NightlatchWire

/// A question of a journey to its client, in the protocol's form.
///
/// The order of outputs and inputs is part of the protocol: some clients fill inputs by position.
package struct JourneyCallback: Hashable, Sendable {
    package let type: String
    let outputs: [JSONObject.Member]
    /// The suffix of each input's name, and the input's initial value.
    package let inputs: [JSONObject.Member]

    init(_ type: String, outputs: [JSONObject.Member], inputs: [JSONObject.Member]) {
        self.type = type
        self.outputs = outputs
        self.inputs = inputs
    }

    /// The JSON for the client.
    ///
    /// - Parameter number: The position of this callback among the callbacks of one answer, from 1.
    func json(number: Int) -> JSONValue {
        let inputs = inputs.map { JSONObject.Member(Self.name(of: $0.name, number: number), $0.value) }
        // A callback that only displays has no list of inputs.
        return .object(
            [.init("type", .string(type)), .init("output", Self.pairs(outputs))]
                + (inputs.isEmpty ? [] : [.init("input", Self.pairs(inputs))]))
    }

    /// The name of an input.
    package static func name(of suffix: String, number: Int) -> String { "IDToken\(number)" + suffix }

    private static func pairs(_ members: [JSONObject.Member]) -> JSONValue {
        .array(members.map { .object([.init("name", .string($0.name)), .init("value", $0.value)]) })
    }
}
