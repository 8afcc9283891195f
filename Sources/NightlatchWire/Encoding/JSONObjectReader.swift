/// Reads the members of an object by name, in a type's `init(from:)`.
///
/// From ``StrictJSON``, the reader takes the parsed members directly. A keyed container with a decoder for each member
/// costs several times as much, which matters for the messages of a login. From any other decoder it uses a keyed
/// container.
public struct JSONObjectReader {
    /// The parsed members. Empty with any other decoder.
    private let object: JSONObject
    private let source: Source

    private enum Source {
        case parsed(JSONValueDecoder)
        case container(Container)
    }

    /// The container of another decoder, in a class instance. The compiler does not know the container's size. Without
    /// the indirection, the reader's size would be unknown too, and each use would go through its metadata.
    private final class Container {
        let members: KeyedDecodingContainer<JSONKey>

        init(_ members: KeyedDecodingContainer<JSONKey>) { self.members = members }
    }

    /// Reads the object of `decoder`.
    ///
    /// - Throws: `DecodingError` if the value is not an object.
    public init(_ decoder: any Decoder) throws {
        guard let decoder = decoder as? JSONValueDecoder else {
            object = JSONObject()
            source = .container(Container(try decoder.container(keyedBy: JSONKey.self)))
            return
        }
        object = try decoder.object()
        source = .parsed(decoder)
    }

    /// The names of all members. ``StrictJSON`` keeps their order.
    var names: [String] {
        switch source {
        case .parsed: object.members.map(\.name)
        case .container(let container): container.members.allKeys.map(\.stringValue)
        }
    }

    public func contains(_ name: String) -> Bool {
        switch source {
        case .parsed: object.contains(name)
        case .container(let container): container.members.contains(JSONKey(name))
        }
    }

    /// Decodes a member.
    ///
    /// - Throws: `DecodingError` if the member is missing or of another kind. The methods below throw the same.
    public func value<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) throws -> Value {
        switch source {
        case .parsed(let decoder):
            try Value(from: JSONObjectDecoding<JSONKey>(decoder: decoder, object: object).member(JSONKey(name)))
        case .container(let container): try container.members.decode(type, forKey: JSONKey(name))
        }
    }

    /// Same as `value(_:as:)`. Returns nil for a member that is missing or `null`.
    public func optionalValue<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) throws -> Value? {
        switch source {
        case .parsed:
            switch object[name] {
            case nil, .null: nil
            // With the type, this calls the overload for non-optional values, which does not check for null again.
            default: try value(name, as: type)
            }
        case .container(let container): try container.members.decodeIfPresent(type, forKey: JSONKey(name))
        }
    }

    /// Same as `value(_:as:)`, for types that are strings in JSON.
    public func value<Value: RawRepresentable<String> & Decodable>(
        _ name: String,
        as type: Value.Type = Value.self
    ) throws -> Value {
        if case .string(let text) = object[name], let value = Value(rawValue: text) { return value }
        // The general method throws the error that describes the problem.
        return try decodedValue(name)
    }

    /// Same as `optionalValue(_:as:)`, for types that are strings in JSON.
    public func optionalValue<Value: RawRepresentable<String> & Decodable>(
        _ name: String,
        as type: Value.Type = Value.self
    ) throws -> Value? {
        if case .string(let text) = object[name], let value = Value(rawValue: text) { return value }
        return try decodedOptionalValue(name)
    }

    /// Same as `value(_:as:)`.
    public func value(_ name: String) throws -> String {
        if case .string(let text) = object[name] { return text }
        return try decodedValue(name)
    }

    /// Same as `value(_:as:)`.
    public func value(_ name: String) throws -> NumericDate {
        if case .number(let text) = object[name], let seconds = Int(text), NumericDate.range.contains(seconds) {
            return NumericDate(secondsSince1970: seconds)
        }
        return try decodedValue(name)
    }

    /// Returns an error for a value that breaks a rule of its type.
    ///
    /// - Parameters:
    ///   - name: The member; nil if members break the rule together.
    ///   - rule: The rule in words for the sender, such as "must be 1 to 5".
    public func broken(_ name: String?, _ rule: String) -> DecodingError {
        let path =
            switch source {
            case .parsed(let decoder): decoder.codingPath
            case .container(let container): container.members.codingPath
            }
        return .broken(rule, at: path + (name.map { [JSONKey($0)] } ?? []))
    }

    // The names differ, so that the compiler selects the general overload.
    private func decodedValue<Value: Decodable>(_ name: String) throws -> Value { try value(name, as: Value.self) }

    private func decodedOptionalValue<Value: Decodable>(_ name: String) throws -> Value? {
        try optionalValue(name, as: Value.self)
    }
}
