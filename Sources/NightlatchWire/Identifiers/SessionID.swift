/// The id of a login, `sid` in access tokens: 16 bytes. Six of them are the same for all logins of a device, ten are
/// random.
///
/// All tokens of one login contain the same session id.
public typealias SessionID = Identifier<SessionIDRule>

public enum SessionIDRule: BinaryIdentifierRule {
    public static let name = "session id"
    public static let byteCount = 16
}
