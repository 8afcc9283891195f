/// The grammar of bearer values. A bearer value is a secret, because its possession is enough to use it. Only
/// ``Identifier/rawValue`` reveals it.
public protocol OpaqueTokenRule: IdentifierRule {}

extension OpaqueTokenRule {
    public static var isSecret: Bool { true }

    /// `b64token` of [RFC 6750](https://www.rfc-editor.org/rfc/rfc6750#section-2.1), 1 to 4096 characters.
    public static func accepts(_ text: String) -> Bool {
        (1...4096).contains(text.utf8.count)
            && text.hasOnly {
                $0.letterOrDigitMatch | $0.match("-"..."/") | $0.match("_") | $0.match("~") | $0.match("+")
                    | $0.match("=")
            }
    }
}

/// An access token ([RFC 9068](https://www.rfc-editor.org/rfc/rfc9068)).
public typealias AccessToken = Identifier<AccessTokenRule>

public enum AccessTokenRule: OpaqueTokenRule {
    public static let name = "access token"
}

/// A refresh token. It can be exchanged once, for a new pair of tokens.
public typealias RefreshToken = Identifier<RefreshTokenRule>

public enum RefreshTokenRule: OpaqueTokenRule {
    public static let name = "refresh token"
}
