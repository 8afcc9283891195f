/// A user's password at the app's service: 1 to 256 bytes of UTF-8 without control characters.
///
/// Rules for strong passwords are up to the code that sets the password.
public typealias Password = Identifier<PasswordRule>

public enum PasswordRule: IdentifierRule {
    public static let name = "password"
    public static let requirement = "1 to 256 bytes of UTF-8 without control characters"
    public static var isSecret: Bool { true }

    public static func accepts(_ text: String) -> Bool {
        (1...256).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}
