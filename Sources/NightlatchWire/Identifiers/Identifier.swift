/// What texts one kind of ``Identifier`` accepts.
public protocol IdentifierRule: Sendable {
    /// The name of the kind in messages to people, such as "device id".
    static var name: String { get }
    /// Whether `text` is of the kind's grammar.
    static func accepts(_ text: String) -> Bool
    /// Whether the text is a secret, which then shows in no description, dump or interpolation.
    static var isSecret: Bool { get }
}

extension IdentifierRule {
    public static var isSecret: Bool { false }
}

/// A text that is known to be of its kind's grammar: it can only be made by passing the check, so code that holds one
/// needs none, and identifiers of different kinds cannot be mixed up.
public struct Identifier<Rule: IdentifierRule>: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    /// Returns nil unless `rawValue` is of the kind's grammar.
    public init?(rawValue: String) {
        guard Rule.accepts(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// For values that are right by construction.
    package init(unchecked rawValue: String) {
        self.rawValue = rawValue
    }
}

extension Identifier: CustomStringConvertible, CustomReflectable {
    public var description: String { Rule.isSecret ? "(\(Rule.name))" : rawValue }

    public var customMirror: Mirror { Mirror(self, children: ["rawValue": description]) }
}

extension Identifier: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let identifier = Self(rawValue: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a valid \(Rule.name)")
        }
        self = identifier
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
