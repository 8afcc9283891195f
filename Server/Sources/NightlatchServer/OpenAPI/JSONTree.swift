/// A JSON value that is written as a Swift literal.
package indirect enum JSONTree: Hashable, Sendable {
    case string(String)
    case integer(Int)
    case bool(Bool)
    case array([JSONTree])
    case object([String: JSONTree])

    /// The value of an object's member; nil if there is none.
    package subscript(_ member: String) -> JSONTree? {
        if case .object(let members) = self { members[member] } else { nil }
    }

    /// The elements of an array; none for another value.
    package var elements: [JSONTree] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// Returns an object with the members of both. If both have a member, the result has the value of `other`.
    func adding(_ other: [String: JSONTree]) -> JSONTree {
        guard case .object(let members) = self else { return .object(other) }
        return .object(members.merging(other) { _, new in new })
    }
}

extension JSONTree: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self = .string(value) }
}

extension JSONTree: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int) { self = .integer(value) }
}

extension JSONTree: ExpressibleByBooleanLiteral {
    package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONTree: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: JSONTree...) { self = .array(elements) }
}

extension JSONTree: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONTree)...) {
        self = .object(Dictionary(elements) { _, new in new })
    }
}

extension JSONTree: Encodable {
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .string(let text):
            var container = encoder.singleValueContainer()
            try container.encode(text)
        case .integer(let number):
            var container = encoder.singleValueContainer()
            try container.encode(number)
        case .bool(let bool):
            var container = encoder.singleValueContainer()
            try container.encode(bool)
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .object(let members):
            var container = encoder.container(keyedBy: MemberName.self)
            for (name, value) in members { try container.encode(value, forKey: MemberName(stringValue: name)) }
        }
    }

    private struct MemberName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) { nil }
    }
}
