/// The name of a transaction that a person is to decide on: 32 random hexadecimal digits in small letters.
///
/// The app's backend makes it.
public typealias TransactionID = Identifier<TransactionIDRule>

public enum TransactionIDRule: HexadecimalIdentifierRule {
    public static let name = "transaction id"
}
