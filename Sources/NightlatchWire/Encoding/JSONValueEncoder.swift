/// Takes a value that encodes itself, and writes it.
final class JSONValueEncoder: Encoder {
    private(set) var content = Content.nothing
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    enum Content {
        case nothing
        case scalar(JSONValue)
        case array([JSONValueEncoder])
        case object([(name: String, value: Member)])
    }

    enum Member {
        case scalar(JSONValue)
        case integer(Int)
        case value(JSONValueEncoder)
    }

    /// How many members most objects have at most.
    private static let expectedMemberCount = 16

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        beginObject()
        return KeyedEncodingContainer(JSONObjectEncoding(encoder: self))
    }

    /// Makes this an object. A type may ask twice, and adds to what it has then.
    func beginObject() {
        if case .object = content { return }
        var members: [(name: String, value: Member)] = []
        members.reserveCapacity(Self.expectedMemberCount)
        content = .object(members)
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .array = content {} else { content = .array([]) }
        return JSONArrayEncoding(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// How many values an array has so far.
    var count: Int {
        if case .array(let values) = content { values.count } else { 0 }
    }

    /// Adds a member to an object.
    func add(_ name: String, _ value: Member) {
        guard case .object(var members) = content else { return }
        content = .nothing
        members.append((name, value))
        content = .object(members)
    }

    /// Adds a value to an array.
    func add(_ value: JSONValueEncoder) {
        guard case .array(var values) = content else { return }
        content = .nothing
        values.append(value)
        content = .array(values)
    }
}

extension JSONValueEncoder: SingleValueEncodingContainer {
    func encodeNil() { content = .scalar(.null) }

    func encode(_ value: Bool) { content = .scalar(.bool(value)) }

    func encode(_ value: String) { content = .scalar(.string(value)) }

    func encode(_ value: Double) throws { try encode(number: value) }

    func encode(_ value: Float) throws { try encode(number: value) }

    func encode<Integer: FixedWidthInteger & Encodable>(_ value: Integer) {
        content = .scalar(.number(value.description))
    }

    func encode<Value: Encodable>(_ value: Value) throws { try value.encode(to: self) }

    private func encode(number: some BinaryFloatingPoint & LosslessStringConvertible) throws {
        guard number.isFinite else {
            throw EncodingError.invalidValue(number, .init(codingPath: [], debugDescription: "no number of JSON"))
        }
        let text = number.description
        content = .scalar(.number(text.hasSuffix(".0") ? String(text.dropLast(2)) : text))
    }
}

struct JSONObjectEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: JSONValueEncoder
    let codingPath: [any CodingKey] = []

    func encodeNil(forKey key: Key) { member(key).encodeNil() }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try value.encode(to: member(key)) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        member(key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { member(key).unkeyedContainer() }

    func superEncoder() -> any Encoder { member(JSONKey("super")) }

    func superEncoder(forKey key: Key) -> any Encoder { member(key) }

    private func member(_ key: some CodingKey) -> JSONValueEncoder {
        let member = JSONValueEncoder()
        encoder.add(key.stringValue, .value(member))
        return member
    }
}

struct JSONArrayEncoding: UnkeyedEncodingContainer {
    let encoder: JSONValueEncoder
    let codingPath: [any CodingKey] = []

    var count: Int { encoder.count }

    func encodeNil() { next().encodeNil() }

    func encode<Value: Encodable>(_ value: Value) throws { try value.encode(to: next()) }

    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        next().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }

    func superEncoder() -> any Encoder { next() }

    private func next() -> JSONValueEncoder {
        let value = JSONValueEncoder()
        encoder.add(value)
        return value
    }
}
