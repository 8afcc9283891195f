/// Writes the members of an object for a type's `encode(to:)`, by their names.
///
/// To ``StrictJSON`` it gives members as they will stand; see ``JSONObjectReader``.
public struct JSONObjectWriter {
    private let target: Target

    private enum Target {
        case json(JSONValueEncoder)
        case container(Container)
    }

    /// Another encoder's, in a box: the compiler does not know its size, and without the box not the writer's either, so that each use
    /// would go by its metadata.
    private final class Container {
        var members: KeyedEncodingContainer<JSONKey>

        init(_ members: KeyedEncodingContainer<JSONKey>) { self.members = members }
    }

    /// Adds to the object that `encoder` has already, if it has one.
    public init(_ encoder: any Encoder) {
        guard let encoder = encoder as? JSONValueEncoder else {
            target = .container(Container(encoder.container(keyedBy: JSONKey.self)))
            return
        }
        encoder.beginObject()
        target = .json(encoder)
    }

    /// - Throws: What the value or the encoder throws, as all that follow; ``StrictJSON`` does not.
    public mutating func add(_ name: String, _ value: some Encodable) throws {
        switch target {
        case .json(let encoder): try encoder.add(name, value)
        case .container: try addToContainer(name, value)
        }
    }

    /// Adds what stands as a string.
    public mutating func add<Value: RawRepresentable<String> & Encodable>(_ name: String, _ value: Value) throws {
        try add(name, value.rawValue)
    }

    /// Adds an array of what stand as strings.
    public mutating func add<Value: RawRepresentable<String> & Encodable>(_ name: String, _ values: [Value]) throws {
        switch target {
        case .json(let encoder): encoder.add(name, values.lazy.map { $0.rawValue })
        case .container: try addToContainer(name, values)
        }
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
        switch target {
        case .json(let encoder): encoder.add(name, text)
        case .container: try addToContainer(name, text)
        }
    }

    public mutating func add(_ name: String, _ integer: Int) throws {
        switch target {
        case .json(let encoder): encoder.add(name, integer)
        case .container: try addToContainer(name, integer)
        }
    }

    public mutating func add(_ name: String, _ date: NumericDate) throws {
        try add(name, date.secondsSince1970)
    }

    private func addToContainer(_ name: String, _ value: some Encodable) throws {
        guard case .container(let container) = target else { return }
        try container.members.encode(value, forKey: JSONKey(name))
    }
}
