import NightlatchFuzzReference
import NightlatchWire

extension JSONToken {
    /// The tokens of a decoded value.
    static func tokens(of value: JSONValue) -> [JSONToken] {
        switch value {
        case .null: [.literal("null")]
        case .bool(let bool): [.literal(bool ? "true" : "false")]
        case .number(let text): [.number(text)]
        case .string(let text): [.string(Array(text.utf16))]
        case .array(let values): [.openArray] + values.flatMap(tokens) + [.closeArray]
        case .object(let object):
            [.openObject] + object.members.flatMap { [.name(Array($0.name.utf16))] + tokens(of: $0.value) }
                + [.closeObject]
        }
    }
}
