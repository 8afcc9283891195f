/// Encodes a value and writes its JSON directly.
final class JSONValueEncoder: Encoder {
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    private var text = JSONText()

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        beginObject()
        return KeyedEncodingContainer(JSONObjectEncoding(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        text.begin(.array)
        return JSONArrayEncoding(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Ends the document and returns it.
    func finish() -> [UInt8] {
        text.end()
        return text.bytes
    }

    /// The current number of elements of an array.
    var count: Int { text.count }

    /// Makes the value an object. A type may call this twice; the second call adds to the same object.
    func beginObject() { text.begin(.object) }

    /// Writes a scalar.
    func write(_ write: (inout [UInt8]) -> Void) { text.write(write) }

    /// Adds a member to an object.
    func add(_ name: String, _ value: some Encodable) throws {
        text.beginPart(name)
        defer { text.endPart() }
        try value.encode(to: self)
    }

    func add(_ name: String, _ value: String) { text.addMember(name) { bytes in Self.write(value, to: &bytes) } }

    func add(_ name: String, _ integer: Int) { text.addMember(name) { bytes in Self.write(integer, to: &bytes) } }

    func add(_ name: String, _ values: some Sequence<String>) {
        text.addMember(name) { bytes in
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(value, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        }
    }

    func addNil(_ name: String) { text.addMember(name) { bytes in bytes += "null".utf8 } }

    /// Adds an element to an array.
    func add(_ value: some Encodable) throws {
        text.beginPart()
        defer { text.endPart() }
        try value.encode(to: self)
    }

    func addNil() {
        text.beginPart()
        encodeNil()
        text.endPart()
    }

    /// Adds a member. The returned encoder may write it until the object ends.
    func addLater(_ name: String) -> JSONValueEncoder {
        let encoder = JSONValueEncoder()
        text.addMember(name, writtenBy: encoder)
        return encoder
    }

    /// Adds an element. The returned encoder may write it until the array ends.
    func addLater() -> JSONValueEncoder {
        let encoder = JSONValueEncoder()
        text.addElement(writtenBy: encoder)
        return encoder
    }
}
