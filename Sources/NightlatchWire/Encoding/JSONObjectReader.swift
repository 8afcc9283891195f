/// Reads the members of an object for a type's `init(from:)`, by their names.
///
/// From ``StrictJSON`` it takes members as they were parsed. Going by way of a keyed container and a decoder for each member costs
/// several times as much, which is what the types of a login are spared. From any other decoder it reads by that way.
public struct JSONObjectReader {
    /// The members as they were parsed; none if they are not.
    private let object: JSONObject
    private let source: Source

    private enum Source {
        case parsed(JSONValueDecoder)
        case container(Container)
    }

    /// Another decoder's, in a box: the compiler does not know its size, and without the box not the reader's either, so that each use
    /// would go by its metadata.
    private final class Container {
        let members: KeyedDecodingContainer<JSONKey>

        init(_ members: KeyedDecodingContainer<JSONKey>) { self.members = members }
    }

    /// - Throws: `DecodingError` unless there is an object.
    public init(_ decoder: any Decoder) throws {
        guard let decoder = decoder as? JSONValueDecoder else {
            object = JSONObject()
            source = .container(Container(try decoder.container(keyedBy: JSONKey.self)))
            return
        }
        object = try decoder.object()
        source = .parsed(decoder)
    }

    public func contains(_ name: String) -> Bool {
        switch source {
        case .parsed: object.contains(name)
        case .container(let container): container.members.contains(JSONKey(name))
        }
    }

    /// - Throws: `DecodingError`, as all that follow: the member is missing or of another kind.
    public func value<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) throws -> Value {
        switch source {
        case .parsed(let decoder):
            try Value(from: JSONObjectDecoding<JSONKey>(decoder: decoder, object: object).member(JSONKey(name)))
        case .container(let container): try container.members.decode(type, forKey: JSONKey(name))
        }
    }

    /// As `value(_:as:)`; nil for a member that is missing or `null`.
    public func optionalValue<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) throws -> Value? {
        switch source {
        case .parsed:
            switch object[name] {
            case nil, .null: nil
            // Without its type this would be the way of an optional value, which looks for null once more.
            default: try value(name, as: type)
            }
        case .container(let container): try container.members.decodeIfPresent(type, forKey: JSONKey(name))
        }
    }

    /// As `value(_:as:)`, of what stands as a string.
    public func value<Value: RawRepresentable<String> & Decodable>(
        _ name: String,
        as type: Value.Type = Value.self
    ) throws -> Value {
        if case .string(let text) = object[name], let value = Value(rawValue: text) { return value }
        // What is wrong with it, that way tells.
        return try decodedValue(name)
    }

    /// As `optionalValue(_:as:)`, of what stands as a string.
    public func optionalValue<Value: RawRepresentable<String> & Decodable>(
        _ name: String,
        as type: Value.Type = Value.self
    ) throws -> Value? {
        if case .string(let text) = object[name], let value = Value(rawValue: text) { return value }
        return try decodedOptionalValue(name)
    }

    /// As `value(_:as:)`.
    public func value(_ name: String) throws -> String {
        if case .string(let text) = object[name] { return text }
        return try decodedValue(name)
    }

    /// As `value(_:as:)`.
    public func value(_ name: String) throws -> NumericDate {
        if case .number(let text) = object[name], let seconds = Int(text), NumericDate.range.contains(seconds) {
            return NumericDate(secondsSince1970: seconds)
        }
        return try decodedValue(name)
    }

    // By other names, so that the compiler takes the general way.
    private func decodedValue<Value: Decodable>(_ name: String) throws -> Value { try value(name, as: Value.self) }

    private func decodedOptionalValue<Value: Decodable>(_ name: String) throws -> Value? {
        try optionalValue(name, as: Value.self)
    }
}
