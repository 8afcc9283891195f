/// A user as the app's backend names them: 1 to 128 characters out of letters, digits and `. _ - @ : = , +`.
public typealias UserID = Identifier<UserIDRule>

public enum UserIDRule: IdentifierRule {
    public static let name = "user id"

    public static func accepts(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.hasOnly {
                $0.letterOrDigitMatch | $0.match("+"...".") | $0.match("_") | $0.match("@") | $0.match(":")
                    | $0.match("=")
            }
    }
}
