package import NightlatchWire

/// Something that a journey asks its client, as the client reads it. The order of outputs and inputs is part of the protocol: some
/// clients fill inputs by their place.
package struct JourneyCallback: Hashable, Sendable {
    package let type: String
    let outputs: [JSONObject.Member]
    /// How each input's name ends, and what stands in it until the client writes.
    package let inputs: [JSONObject.Member]

    init(_ type: String, outputs: [JSONObject.Member], inputs: [JSONObject.Member]) {
        self.type = type
        self.outputs = outputs
        self.inputs = inputs
    }

    /// What the client gets.
    ///
    /// - Parameter number: Its place among the callbacks of one answer, from 1.
    func json(number: Int) -> JSONValue {
        .object([
            .init("type", .string(type)),
            .init("output", Self.pairs(outputs)),
            .init("input", Self.pairs(inputs.map { .init(Self.name(of: $0.name, number: number), $0.value) })),
        ])
    }

    /// The name of an input.
    package static func name(of suffix: String, number: Int) -> String { "IDToken\(number)" + suffix }

    private static func pairs(_ members: [JSONObject.Member]) -> JSONValue {
        .array(members.map { .object([.init("name", .string($0.name)), .init("value", $0.value)]) })
    }
}
