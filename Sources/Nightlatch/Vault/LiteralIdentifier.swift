public import NightlatchWire

/// A kind of identifier that programs choose themselves, so that it may be written as a literal.
public protocol LiteralIdentifierRule: IdentifierRule {}

extension Identifier: ExpressibleByUnicodeScalarLiteral where Rule: LiteralIdentifierRule {}
extension Identifier: ExpressibleByExtendedGraphemeClusterLiteral where Rule: LiteralIdentifierRule {}
extension Identifier: ExpressibleByStringLiteral where Rule: LiteralIdentifierRule {
    /// An identifier that is written in the program.
    ///
    /// - Precondition: The literal is of the kind's grammar; texts from elsewhere go through `init(rawValue:)`.
    public init(stringLiteral literal: String) {
        precondition(Rule.accepts(literal), "not a \(Rule.name): \(literal)")
        self.init(unchecked: literal)
    }
}
