public import NightlatchWire

/// A kind of identifier that programs choose themselves, so it can be written as a literal:
/// `let payee: Payee = "Rail"`.
///
/// Secrets and random identifiers are of other kinds, because neither belongs into a program's source. A program gets
/// them from a file, a server or a user.
public protocol LiteralIdentifierRule: IdentifierRule {}

extension Identifier: ExpressibleByUnicodeScalarLiteral where Rule: LiteralIdentifierRule {}
extension Identifier: ExpressibleByExtendedGraphemeClusterLiteral where Rule: LiteralIdentifierRule {}
extension Identifier: ExpressibleByStringLiteral where Rule: LiteralIdentifierRule {
    /// Creates an identifier that is written in the program.
    ///
    /// - Precondition: The literal matches the kind's grammar. Otherwise the program stops with a message that states
    ///   the grammar. Use `init(validating:)` for text from elsewhere.
    public init(stringLiteral literal: String) {
        guard Rule.accepts(literal) else {
            // A literal is the same in every run, so the first run of that line ends here. No input can cause this. A
            // precondition would print no message in a release build.
            fatalError("\"\(literal)\": \(IdentifierError(Rule.self))")
        }
        self.init(unchecked: literal)
    }
}

// The kinds of messages that an app or its backend writes itself. The protocol is declared here and not beside them,
// so that a program that imports only this module can write its names of secrets as literals.
extension AppNameRule: LiteralIdentifierRule {}
extension ClientIDRule: LiteralIdentifierRule {}
extension CurrencyCodeRule: LiteralIdentifierRule {}
extension DeviceNameRule: LiteralIdentifierRule {}
extension IssuerRule: LiteralIdentifierRule {}
extension LineLabelRule: LiteralIdentifierRule {}
extension LineValueRule: LiteralIdentifierRule {}
extension MoneyAmountRule: LiteralIdentifierRule {}
extension PayeeRule: LiteralIdentifierRule {}
extension RemoteLoginMessageRule: LiteralIdentifierRule {}
extension UserIDRule: LiteralIdentifierRule {}
