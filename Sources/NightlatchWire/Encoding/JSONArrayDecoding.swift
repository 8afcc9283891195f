/// A JSON array that is decoded value by value.
struct JSONArrayDecoding: UnkeyedDecodingContainer {
    let decoder: JSONValueDecoder
    let values: [JSONValue]
    private(set) var currentIndex = 0

    init(decoder: JSONValueDecoder, values: [JSONValue]) {
        self.decoder = decoder
        self.values = values
    }

    var codingPath: [any CodingKey] { decoder.codingPath }

    var count: Int? { values.count }

    var isAtEnd: Bool { currentIndex == values.count }

    mutating func decodeNil() throws -> Bool {
        // Consumes only null. Any other value remains to be decoded.
        guard try current().decodeNil() else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try Value(from: current())
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }

    mutating func superDecoder() throws -> any Decoder { try next() }

    private mutating func next() throws -> JSONValueDecoder {
        let decoder = try current()
        currentIndex += 1
        return decoder
    }

    private func current() throws -> JSONValueDecoder {
        let key = JSONKey(index: currentIndex)
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                JSONValue.self, .init(codingPath: codingPath + [key], debugDescription: "the array has ended"))
        }
        return JSONValueDecoder(values[currentIndex], parent: decoder, key: key)
    }
}
