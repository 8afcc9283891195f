internal import NightlatchWire

extension JSONObject {
    /// The members as values that can be sent to another task. Members without a value are left out.
    var sendable: [String: any Sendable] {
        var values: [String: any Sendable] = [:]
        for member in members { values[member.name] = member.value.sendable }
        return values
    }
}

extension JSONValue {
    fileprivate var sendable: (any Sendable)? {
        switch self {
        case .null: nil
        case .bool(let bool): bool
        case .number(let text): Self.numeric(text)
        case .string(let text): text
        case .array(let values): values.compactMap(\.sendable)
        case .object(let object): object.sendable
        }
    }

    private static func numeric(_ text: String) -> any Sendable {
        if let integer = Int(text) { return integer }
        if let double = Double(text) { return double }
        return text
    }
}
