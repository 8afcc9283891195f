public import NightlatchWire

/// A kind of identifier that programs choose themselves, so it can be written as a literal.
public protocol LiteralIdentifierRule: IdentifierRule {}

extension Identifier: ExpressibleByUnicodeScalarLiteral where Rule: LiteralIdentifierRule {}
extension Identifier: ExpressibleByExtendedGraphemeClusterLiteral where Rule: LiteralIdentifierRule {}
extension Identifier: ExpressibleByStringLiteral where Rule: LiteralIdentifierRule {
    /// Creates an identifier that is written in the program.
    ///
    /// - Precondition: The literal matches the kind's grammar. Use `init(rawValue:)` for text from elsewhere.
    public init(stringLiteral literal: String) {
        precondition(Rule.accepts(literal), "not a \(Rule.name): \(literal)")
        self.init(unchecked: literal)
    }
}
