/// A text is not an identifier of a kind. Show the user what the text must be, and ask for it again.
///
/// The error does not contain the text, which may be a secret.
public struct IdentifierError: Error, Hashable, Sendable {
    /// The kind that the text should have, such as "payee".
    public let kind: String
    /// The grammar of the kind, in words that follow "must be".
    public let requirement: String

    package init(_ rule: (some IdentifierRule).Type) {
        kind = rule.name
        requirement = rule.requirement
    }
}

extension IdentifierError: CustomStringConvertible {
    public var description: String { "not a \(kind), which must be \(requirement)" }
}

extension Identifier {
    /// Creates an identifier from text that comes from a user, a file or another program.
    ///
    /// - Throws: ``IdentifierError`` with the grammar of the kind, unless `text` matches it.
    public init(validating text: String) throws(IdentifierError) {
        guard let identifier = Self(rawValue: text) else { throw IdentifierError(Rule.self) }
        self = identifier
    }
}
