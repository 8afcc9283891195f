/// The id of an app at the relying party, `client_id` in OAuth: 1 to 64 letters, digits and characters of `. _ -`.
public typealias ClientID = Identifier<ClientIDRule>

public enum ClientIDRule: IdentifierRule {
    public static let name = "client id"
    public static let requirement = "1 to 64 characters out of letters, digits and . _ -"

    public static func accepts(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.hasOnly { $0.letterOrDigitMatch | $0.match("-"...".") | $0.match("_") }
    }
}

extension Identifier where Rule == ClientIDRule {
    /// The app of a relying party that is configured with no other app.
    public static let `default` = ClientID(unchecked: "nightlatch")
}
