/// What texts one kind of ``Identifier`` accepts.
public protocol IdentifierRule: Sendable {
    /// The name of the kind in messages to people, such as "device id".
    static var name: String { get }
    /// Whether `text` is of the kind's grammar.
    static func accepts(_ text: String) -> Bool
    /// Whether the text is a secret, which then shows in no description, dump or interpolation.
    static var isSecret: Bool { get }
    /// What a text of the kind is, in words that follow "must be": told to who has sent another.
    static var requirement: String { get }
    /// Whether this or an earlier version accepted `text`, so that stores may hold it.
    static func acceptsStored(_ text: String) -> Bool
}

extension IdentifierRule {
    public static var isSecret: Bool { false }
    public static var requirement: String { "a valid \(name)" }
    public static func acceptsStored(_ text: String) -> Bool { accepts(text) }
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

    /// What a store holds, which an earlier version may have accepted. Nil for what none has.
    public static func stored(_ rawValue: String) -> Self? {
        Rule.acceptsStored(rawValue) ? Self(unchecked: rawValue) : nil
    }

    /// For values that are right by construction.
    package init(unchecked rawValue: String) {
        self.rawValue = rawValue
    }
}

// Byte by byte, as stores and other languages compare. Texts are equal to Swift that are written in other code points.
extension Identifier {
    public static func == (one: Self, other: Self) -> Bool { one.rawValue.utf8.elementsEqual(other.rawValue.utf8) }

    // Without it `!=` would be that of `RawRepresentable`, which compares texts.
    public static func != (one: Self, other: Self) -> Bool { !(one == other) }

    public func hash(into hasher: inout Hasher) {
        var text = rawValue
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // No byte of UTF-8, so that two identifiers in a row are told apart.
        hasher.combine(UInt8(0xFF))
    }
}

extension Identifier: CustomStringConvertible, CustomReflectable {
    public var description: String { Rule.isSecret ? "(\(Rule.name))" : rawValue }

    public var customMirror: Mirror { Mirror(self, children: ["rawValue": description]) }
}

extension Identifier: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let rule = "must be a string: " + Rule.requirement
        let text = try container.decode(String.self, rule: rule)
        guard let identifier = decoder.readsStoredMessages ? Self.stored(text) : Self(rawValue: text) else {
            throw DecodingError.broken(rule, at: container.codingPath)
        }
        self = identifier
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
