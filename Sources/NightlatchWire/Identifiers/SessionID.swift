/// The name of a login, `sid` in access tokens: all tokens that came of one login have the same. 16 bytes, of which ten are random.
public typealias SessionID = Identifier<SessionIDRule>

public enum SessionIDRule: BinaryIdentifierRule {
    public static let name = "session id"
    public static let byteCount = 16
}
