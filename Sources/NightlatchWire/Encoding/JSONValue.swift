/// A JSON value as it was read. A number keeps its text: of what kind it is to be, the type says that is decoded.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

/// The members of a JSON object in their order, each name once.
package struct JSONObject: Hashable, Sendable {
    /// Up to so many members are looked through; beyond, the time that it takes would grow with their square.
    private static let scanLimit = 16

    /// How many members most objects have at most.
    private static let expectedCount = 8

    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: JSONValue
    }

    package private(set) var members: [Member] = []
    private var indices: [String: Int] = [:]

    package init() {}

    package subscript(_ name: String) -> JSONValue? { index(of: name).map { members[$0].value } }

    /// Names that are canonically equivalent (`é` in one scalar or in two) count as the same one, as they do for everyone who
    /// reads an object into a dictionary of Swift's.
    func contains(_ name: String) -> Bool { index(of: name) != nil }

    /// Adds a member whose name there is not yet.
    mutating func add(_ name: String, _ value: JSONValue) {
        if members.isEmpty { members.reserveCapacity(Self.expectedCount) }
        members.append(Member(name: name, value: value))
        if members.count == Self.scanLimit + 1 {
            for (index, member) in members.enumerated() { indices[member.name] = index }
        } else if members.count > Self.scanLimit {
            indices[name] = members.count - 1
        }
    }

    /// Gives a member another value, in its place; adds one that there is not yet at the end.
    package mutating func set(_ name: String, _ value: JSONValue) {
        guard let index = index(of: name) else { return add(name, value) }
        members[index] = Member(name: members[index].name, value: value)
    }

    private func index(of name: String) -> Int? {
        members.count > Self.scanLimit ? indices[name] : members.firstIndex { $0.name == name }
    }
}
