/// The id of a transaction that a user confirms or rejects: 32 random lowercase hexadecimal digits.
///
/// The app's backend chooses it.
public typealias TransactionID = Identifier<TransactionIDRule>

public enum TransactionIDRule: HexadecimalIdentifierRule {
    public static let name = "transaction id"
}
