/// The grammar of one kind of ``Identifier``.
public protocol IdentifierRule: Sendable {
    /// The name of the kind in messages to people, such as "device id".
    static var name: String { get }
    /// Whether `text` is valid.
    static func accepts(_ text: String) -> Bool
    /// Whether the text is a secret. Descriptions, dumps and interpolations do not show a secret.
    static var isSecret: Bool { get }
    /// The grammar in words that follow "must be". The sender of an invalid text gets them in the refusal.
    static var requirement: String { get }
    /// Whether this or an earlier version accepts `text`, so that a store may contain it.
    static func acceptsStored(_ text: String) -> Bool
}

extension IdentifierRule {
    public static var isSecret: Bool { false }
    public static var requirement: String { "a valid \(name)" }
    public static func acceptsStored(_ text: String) -> Bool { accepts(text) }
}

/// A text that is known to be valid.
///
/// The public initialisers check the grammar, so code that receives an identifier does not check it again. The compiler
/// keeps identifiers of different kinds apart.
public struct Identifier<Rule: IdentifierRule>: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    /// Creates an identifier. Returns nil unless `rawValue` is valid.
    public init?(rawValue: String) {
        guard Rule.accepts(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// The identifier that a store contains. Earlier versions may have accepted texts that this one refuses. Returns
    /// nil for a text that no version accepted.
    public static func stored(_ rawValue: String) -> Self? {
        Rule.acceptsStored(rawValue) ? Self(unchecked: rawValue) : nil
    }

    /// Creates an identifier without a check, from a text that is valid by construction.
    package init(unchecked rawValue: String) {
        self.rawValue = rawValue
    }
}

// Compares bytes, as stores and other languages do. For Swift, texts of different code points can be equal.
extension Identifier {
    public static func == (one: Self, other: Self) -> Bool { one.rawValue.utf8.elementsEqual(other.rawValue.utf8) }

    // Without this operator, `!=` would be that of `RawRepresentable`, which compares texts.
    public static func != (one: Self, other: Self) -> Bool { !(one == other) }

    public func hash(into hasher: inout Hasher) {
        var text = rawValue
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // A byte that UTF-8 never contains. It separates two consecutive identifiers in a hash.
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
