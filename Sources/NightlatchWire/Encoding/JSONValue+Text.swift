public import Foundation

extension JSONValue {
    /// Parses one value with the rules of ``StrictJSON``. Keeps the order of members, unknown members and the text of
    /// numbers.
    ///
    /// - Throws: ``StrictJSONError``. Nothing of the input is used.
    public init(parsing bytes: some DataProtocol, limits: JSONLimits) throws(StrictJSONError) {
        guard bytes.count <= limits.byteCount else { throw .tooLarge }
        var parser = JSONParser(Array(copying: bytes), limits: limits)
        self = try parser.parseDocument()
    }

    /// The value as JSON without white space, with members in their order.
    public var bytes: Data {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return Data(bytes)
    }

    /// The value as JSON in a string, as in ``bytes``.
    public var json: String { String(decoding: bytes, as: UTF8.self) }

    /// The text of a string. Nil for any other value.
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The members of an object. Nil for any other value.
    public var object: JSONObject? {
        guard case .object(let object) = self else { return nil }
        return object
    }

    /// The elements of an array. Nil for any other value.
    public var array: [JSONValue]? {
        guard case .array(let values) = self else { return nil }
        return values
    }

    /// The Boolean value. Nil for any other value.
    public var bool: Bool? {
        guard case .bool(let bool) = self else { return nil }
        return bool
    }

    /// The integer, if the number has no fraction and no exponent. Nil for any other value.
    public var integer: Int? {
        guard case .number(let text) = self else { return nil }
        return Int(text)
    }

    /// The member `name` of an object. Nil if it is missing or the value is not an object.
    public subscript(_ name: String) -> JSONValue? { object?[name] }

    /// Returns a number without a fraction.
    public static func integer(_ integer: Int) -> Self { .number(String(integer)) }

    /// Returns an object with these members, in this order.
    ///
    /// - Precondition: The names are unique.
    public static func object(_ members: [JSONObject.Member]) -> Self { .object(JSONObject(members)) }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let bool): bytes += (bool ? "true" : "false").utf8
        case .number(let text): bytes += text.utf8
        case .string(let text): JSONValueEncoder.write(text, to: &bytes)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONValueEncoder.write(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}

extension JSONValue: Decodable {
    /// Takes the value that ``StrictJSON`` parsed, without parsing or copying it again.
    ///
    /// - Throws: `DecodingError` from any other decoder. Other decoders do not keep the order of members and the text
    ///   of numbers.
    public init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? JSONValueDecoder else {
            throw DecodingError.typeMismatch(
                Self.self, .init(codingPath: decoder.codingPath, debugDescription: "decode it with StrictJSON"))
        }
        self = decoder.value
    }
}

extension JSONObject {
    /// Creates an object with these members, in this order.
    ///
    /// - Precondition: The names are unique.
    package init(_ members: KeyValuePairs<String, JSONValue>) {
        self.init()
        for (name, value) in members {
            precondition(!contains(name), "duplicate member name")
            add(name, value)
        }
    }
}
