/// The backend's name for a user: 1 to 128 printable characters (code points), such as `auth0|5f7c8e`,
/// `o'brien@example.com` or `CORP\alice`.
///
/// The rule refuses controls, invisible characters, characters that change the direction of text, spaces other than
/// U+0020, and a space at either end. User ids are compared byte by byte: the two ways of writing `é` are two users,
/// and so are `anna` and `Anna`.
public typealias UserID = Identifier<UserIDRule>

public enum UserIDRule: IdentifierRule {
    public static let name = "user id"
    public static let requirement =
        "1 to 128 printable characters, without control or invisible characters, and without a space at either end"

    public static func accepts(_ text: String) -> Bool { ShownText.isPrintable(text) }
}
