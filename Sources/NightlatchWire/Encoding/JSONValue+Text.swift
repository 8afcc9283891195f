package import Foundation

extension JSONValue {
    /// Reads one value as ``StrictJSON`` reads it, and keeps all of it: the order of members, the members that nobody knows, and the
    /// text of numbers.
    ///
    /// - Throws: ``StrictJSONError``; the input was refused whole.
    package init(parsing bytes: some DataProtocol, limits: JSONLimits) throws(StrictJSONError) {
        guard bytes.count <= limits.byteCount else { throw .tooLarge }
        var parser = JSONParser(Array(copying: bytes), depthLimit: limits.depth)
        self = try parser.parseDocument()
    }

    /// The value as JSON, members in the order that they have, without white space.
    package var bytes: Data {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return Data(bytes)
    }

    package var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    package var object: JSONObject? {
        guard case .object(let object) = self else { return nil }
        return object
    }

    package var array: [JSONValue]? {
        guard case .array(let values) = self else { return nil }
        return values
    }

    package var bool: Bool? {
        guard case .bool(let bool) = self else { return nil }
        return bool
    }

    /// The whole number that it is, written as one.
    package var integer: Int? {
        guard case .number(let text) = self else { return nil }
        return Int(text)
    }

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

extension JSONObject {
    /// An object with these members, in this order.
    ///
    /// - Precondition: No name stands twice.
    package init(_ members: KeyValuePairs<String, JSONValue>) {
        self.init()
        for (name, value) in members {
            precondition(!contains(name), "a member that stands twice")
            add(name, value)
        }
    }
}
