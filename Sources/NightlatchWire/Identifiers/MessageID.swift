/// The `jti` of a signed message: 16 random bytes, new for every message.
public typealias MessageID = Identifier<MessageIDRule>

public enum MessageIDRule: BinaryIdentifierRule {
    public static let name = "message id"
    public static let byteCount = 16
}
