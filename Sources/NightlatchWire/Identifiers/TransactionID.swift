/// A transaction that a person is to confirm, named by the app's backend: 32 hexadecimal digits in small letters, random.
public typealias TransactionID = Identifier<TransactionIDRule>

public enum TransactionIDRule: HexadecimalIdentifierRule {
    public static let name = "transaction id"
}
