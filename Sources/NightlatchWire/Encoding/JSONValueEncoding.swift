extension JSONValueEncoder: SingleValueEncodingContainer {
    func encodeNil() { write { bytes in bytes += "null".utf8 } }

    func encode(_ value: Bool) { write { bytes in bytes += (value ? "true" : "false").utf8 } }

    func encode(_ value: String) { write { bytes in Self.write(value, to: &bytes) } }

    func encode(_ value: Double) throws { try encode(number: value) }

    func encode(_ value: Float) throws { try encode(number: value) }

    func encode<Integer: FixedWidthInteger & Encodable>(_ value: Integer) {
        write { bytes in bytes += value.description.utf8 }
    }

    func encode<Value: Encodable>(_ value: Value) throws { try value.encode(to: self) }

    private func encode(number: some BinaryFloatingPoint & LosslessStringConvertible) throws {
        guard number.isFinite else {
            throw EncodingError.invalidValue(
                number, .init(codingPath: [], debugDescription: "not representable as a JSON number"))
        }
        let text = number.description
        write { bytes in bytes += (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8 }
    }
}

/// A JSON object that is encoded member by member.
struct JSONObjectEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: JSONValueEncoder
    let codingPath: [any CodingKey] = []

    func encodeNil(forKey key: Key) { encoder.addNil(key.stringValue) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try encoder.add(key.stringValue, value)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder.addLater(key.stringValue).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.addLater(key.stringValue).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.addLater("super") }

    func superEncoder(forKey key: Key) -> any Encoder { encoder.addLater(key.stringValue) }
}

/// A JSON array that is encoded value by value.
struct JSONArrayEncoding: UnkeyedEncodingContainer {
    let encoder: JSONValueEncoder
    let codingPath: [any CodingKey] = []

    var count: Int { encoder.count }

    func encodeNil() { encoder.addNil() }

    func encode<Value: Encodable>(_ value: Value) throws { try encoder.add(value) }

    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        encoder.addLater().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.addLater().unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder.addLater() }
}
