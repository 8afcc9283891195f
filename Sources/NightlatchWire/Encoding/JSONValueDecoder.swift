/// Decodes a parsed value.
///
/// Each decoder refers to its parent, so that the path of a member is built only for an error.
final class JSONValueDecoder: Decoder {
    let value: JSONValue
    private let parent: JSONValueDecoder?
    private let key: (any CodingKey)?
    fileprivate let isStored: Bool

    /// - Parameter isStored: Whether the value comes from a store and was accepted before.
    init(_ value: JSONValue, isStored: Bool = false) {
        self.value = value
        parent = nil
        key = nil
        self.isStored = isStored
    }

    init(_ value: JSONValue, parent: JSONValueDecoder, key: any CodingKey) {
        self.value = value
        self.parent = parent
        self.key = key
        isStored = parent.isStored
    }

    var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var decoder: JSONValueDecoder? = self
        while let current = decoder {
            if let key = current.key { path.append(key) }
            decoder = current.parent
        }
        return path.reversed()
    }

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(JSONObjectDecoding(decoder: self, object: try object()))
    }

    func object() throws -> JSONObject {
        guard case .object(let object) = value else { throw mismatch(JSONObject.self) }
        return object
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let values) = value else { throw mismatch([JSONValue].self) }
        return JSONArrayDecoding(decoder: self, values: values)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    private func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "of another type"))
    }
}

extension JSONValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool {
        if case .null = value { true } else { false }
    }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard case .bool(let bool) = value else { throw mismatch(type) }
        return bool
    }

    func decode(_ type: String.Type) throws -> String {
        guard case .string(let text) = value else { throw mismatch(type) }
        return text
    }

    func decode(_ type: Double.Type) throws -> Double {
        guard case .number(let text) = value, let number = Double(text), number.isFinite else { throw mismatch(type) }
        return number
    }

    func decode(_ type: Float.Type) throws -> Float {
        guard case .number(let text) = value, let number = Float(text), number.isFinite else { throw mismatch(type) }
        return number
    }

    func decode<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type) throws -> Integer {
        guard case .number(let text) = value, let integer = Integer(text) ?? Self.integer(text) else {
            throw mismatch(type)
        }
        return integer
    }

    /// Parses integers in other forms: `5.0`, `5e0` and `50e-1` are 5.
    ///
    /// The code works on digits, because a `Double` would round. It looks at each digit once, because a number may be
    /// as long as a message.
    private static func integer<Integer: FixedWidthInteger>(_ text: String) -> Integer? {
        let parts = text.lowercased().split(separator: "e")
        let mantissa = parts[0].split(separator: ".")
        let fraction = mantissa.count == 2 ? mantissa[1] : ""
        guard var exponent = parts.count == 2 ? Int(parts[1]) : 0, exponent.magnitude < 1000 else { return nil }
        let digits = Array((mantissa[0] + fraction).utf8)
        let zeroCount = digits.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        let significant = String(decoding: digits.dropLast(zeroCount), as: UTF8.self)
        if significant.isEmpty || significant == "-" { return 0 }
        exponent += zeroCount - fraction.utf8.count
        // The widest integers have 20 digits.
        guard (0..<20).contains(exponent) else { return nil }
        return Integer(significant + String(repeating: "0", count: exponent))
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }
}

extension Decoder {
    /// Whether the decoded message was accepted before, perhaps by an earlier version with other rules.
    var readsStoredMessages: Bool { (self as? JSONValueDecoder)?.isStored ?? false }
}
