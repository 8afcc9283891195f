/// A JSON value as it was read: members keep their order, and numbers keep their text.
///
/// A `Double` would round a number, and `100.00` says more than `100`. The type that is decoded decides what kind of number it is.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// As [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259#section-6) writes it.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

/// The members of a JSON object in their order, each name once.
public struct JSONObject: Hashable, Sendable {
    /// Up to so many members are looked through; beyond, the time that it takes would grow with their square.
    private static let scanLimit = 16

    /// How many members most objects have at most.
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

    /// In the order in which they were read or added.
    public private(set) var members: [Member] = []
    private var indices: [String: Int] = [:]

    /// An object without members.
    public init() {}

    /// An object with these members, in this order.
    ///
    /// - Precondition: No name stands twice.
    public init(_ members: some Sequence<Member>) {
        for member in members {
            precondition(!contains(member.name), "a member that stands twice")
            add(member.name, member.value)
        }
    }

    /// The value of a member; nil if there is none of this name.
    public subscript(_ name: String) -> JSONValue? { index(of: name).map { members[$0].value } }

    /// Names that are canonically equivalent (`é` in one scalar or in two) count as the same one, as they do for everyone who
    /// reads an object into a dictionary of Swift's.
    func contains(_ name: String) -> Bool { index(of: name) != nil }

    /// Adds a member whose name there is not yet.
    mutating func add(_ name: String, _ value: JSONValue) {
        if members.isEmpty { members.reserveCapacity(Self.expectedCount) }
        members.append(Member(name, value))
        if members.count == Self.scanLimit + 1 {
            for (index, member) in members.enumerated() { indices[member.name] = index }
        } else if members.count > Self.scanLimit {
            indices[name] = members.count - 1
        }
    }

    /// Gives a member another value, in its place; adds one that there is not yet at the end.
    package mutating func set(_ name: String, _ value: JSONValue) {
        guard let index = index(of: name) else { return add(name, value) }
        members[index] = Member(members[index].name, value)
    }

    private func index(of name: String) -> Int? {
        members.count > Self.scanLimit ? indices[name] : members.firstIndex { $0.name == name }
    }
}
