/// The id of a login, `sid` in access tokens: 16 bytes, ten of them random.
///
/// All tokens of one login contain the same session id.
public typealias SessionID = Identifier<SessionIDRule>

public enum SessionIDRule: BinaryIdentifierRule {
    public static let name = "session id"
    public static let byteCount = 16
}
