/// A parsed JSON value. Members keep their order, and numbers keep their text.
///
/// A `Double` would round numbers, and `100.00` differs from `100`. The type that decodes a number determines its kind.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The text of a number in the grammar of [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259#section-6).
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

/// The members of a JSON object in their order, with unique names.
public struct JSONObject: Hashable, Sendable {
    /// The maximum number of members for linear search. With more, its cost would be quadratic, so a dictionary is
    /// used.
    private static let scanLimit = 16

    /// The capacity for members, which fits most objects.
    private static let expectedCount = 8

    /// A member of an object.
    public struct Member: Hashable, Sendable {
        public let name: String
        public let value: JSONValue

        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The members in the order in which they were parsed or added.
    public private(set) var members: [Member] = []
    private var indices: [String: Int] = [:]

    /// Creates an object without members.
    public init() {}

    /// Creates an object with these members, in this order.
    ///
    /// - Precondition: The names are unique.
    public init(_ members: some Sequence<Member>) {
        for member in members {
            precondition(!contains(member.name), "duplicate member name")
            add(member.name, member.value)
        }
    }

    /// The value of a member. Nil if there is none with this name.
    public subscript(_ name: String) -> JSONValue? { index(of: name).map { members[$0].value } }

    /// Whether there is a member with this name.
    ///
    /// Canonically equivalent names (`é` as one scalar or as two) are the same name, as in a Swift dictionary.
    func contains(_ name: String) -> Bool { index(of: name) != nil }

    /// Adds a member. Its name must be new.
    mutating func add(_ name: String, _ value: JSONValue) {
        if members.isEmpty { members.reserveCapacity(Self.expectedCount) }
        members.append(Member(name, value))
        if members.count == Self.scanLimit + 1 {
            for (index, member) in members.enumerated() { indices[member.name] = index }
        } else if members.count > Self.scanLimit {
            indices[name] = members.count - 1
        }
    }

    /// Replaces a member's value in place. Appends the member if it is new.
    package mutating func set(_ name: String, _ value: JSONValue) {
        guard let index = index(of: name) else { return add(name, value) }
        members[index] = Member(members[index].name, value)
    }

    private func index(of name: String) -> Int? {
        members.count > Self.scanLimit ? indices[name] : members.firstIndex { $0.name == name }
    }
}
