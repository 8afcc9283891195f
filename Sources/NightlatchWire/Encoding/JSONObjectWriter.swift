/// Writes the members of an object by name, in a type's `encode(to:)`.
///
/// For ``StrictJSON``, it writes members directly in their final form. This saves the cost of a keyed container, as in
/// ``JSONObjectReader``.
public struct JSONObjectWriter {
    private let target: Target

    private enum Target {
        case json(JSONValueEncoder)
        case container(Container)
    }

    /// The container of another encoder, in a class instance. The compiler does not know the container's size. Without
    /// the indirection, the writer's size would be unknown too, and each use would go through its metadata.
    private final class Container {
        var members: KeyedEncodingContainer<JSONKey>

        init(_ members: KeyedEncodingContainer<JSONKey>) { self.members = members }
    }

    /// Creates a writer. It adds to the object that `encoder` already has, if there is one.
    public init(_ encoder: any Encoder) {
        guard let encoder = encoder as? JSONValueEncoder else {
            target = .container(Container(encoder.container(keyedBy: JSONKey.self)))
            return
        }
        encoder.beginObject()
        target = .json(encoder)
    }

    /// Adds a member.
    ///
    /// - Throws: The error of the value or the encoder. The methods below throw the same. ``StrictJSON`` itself throws
    ///   no error.
    public mutating func add(_ name: String, _ value: some Encodable) throws {
        switch target {
        case .json(let encoder): try encoder.add(name, value)
        case .container: try addToContainer(name, value)
        }
    }

    /// Adds a member that is a string in JSON.
    public mutating func add<Value: RawRepresentable<String> & Encodable>(_ name: String, _ value: Value) throws {
        try add(name, value.rawValue)
    }

    /// Adds an array of values that are strings in JSON.
    public mutating func add<Value: RawRepresentable<String> & Encodable>(_ name: String, _ values: [Value]) throws {
        switch target {
        case .json(let encoder): encoder.add(name, values.lazy.map { $0.rawValue })
        case .container: try addToContainer(name, values)
        }
    }

    /// Same as `add(_:_:)`. Adds nothing for nil.
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
