/// Writes the members of an object for a type's `encode(to:)`, by their names.
///
/// To ``StrictJSON`` it gives members as they will stand; see ``JSONObjectReader``.
public struct JSONObjectWriter {
    private var target: Target

    private enum Target {
        case json(JSONValueEncoder)
        case container(KeyedEncodingContainer<JSONKey>)
    }

    /// Adds to the object that `encoder` has already, if it has one.
    public init(_ encoder: any Encoder) {
        guard let encoder = encoder as? JSONValueEncoder else {
            target = .container(encoder.container(keyedBy: JSONKey.self))
            return
        }
        encoder.beginObject()
        target = .json(encoder)
    }

    /// - Throws: What the value or the encoder throws, as all that follow; ``StrictJSON`` does not.
    public mutating func add(_ name: String, _ value: some Encodable) throws {
        switch target {
        case .json(let encoder):
            let member = JSONValueEncoder()
            encoder.add(name, .value(member))
            try value.encode(to: member)
        case .container(var container):
            try container.encode(value, forKey: JSONKey(name))
            target = .container(container)
        }
    }

    /// Adds what stands as a string.
    public mutating func add<Value: RawRepresentable<String> & Encodable>(_ name: String, _ value: Value) throws {
        try add(name, value.rawValue)
    }

    /// As `add(_:_:)`; nothing for nil.
    public mutating func addIfPresent<Value: RawRepresentable<String> & Encodable>(
        _ name: String,
        _ value: Value?
    ) throws {
        guard let value else { return }
        try add(name, value)
    }

    public mutating func add(_ name: String, _ text: String) throws {
        try add(name, text, as: .scalar(.string(text)))
    }

    public mutating func add(_ name: String, _ integer: Int) throws {
        try add(name, integer, as: .integer(integer))
    }

    public mutating func add(_ name: String, _ date: NumericDate) throws {
        try add(name, date.secondsSince1970)
    }

    private mutating func add(_ name: String, _ value: some Encodable, as member: JSONValueEncoder.Member) throws {
        switch target {
        case .json(let encoder): encoder.add(name, member)
        case .container(var container):
            try container.encode(value, forKey: JSONKey(name))
            target = .container(container)
        }
    }
}
