public import NightlatchWire

/// A value of `scope` ([RFC 6749, section 3.3](https://www.rfc-editor.org/rfc/rfc6749#section-3.3)): 1 to 64 printable
/// ASCII characters without a space, a quotation mark and a backslash.
public typealias AppScope = Identifier<AppScopeRule>

public enum AppScopeRule: IdentifierRule {
    public static let name = "scope"
    public static let requirement = "1 to 64 printable ASCII characters without space, quotation mark and backslash"

    public static func accepts(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !#""\"#.utf8.contains($0) }
    }
}

extension Identifier where Rule == AppScopeRule {
    /// The app wants an ID token ([OpenID Connect Core, section
    /// 3.1.2.1](https://openid.net/specs/openid-connect-core-1_0.html#AuthRequest)).
    public static let openID = Self.known("openid")
    /// The app wants the user's names, and their id as `preferred_username`
    /// ([OpenID Connect Core, section 5.4](https://openid.net/specs/openid-connect-core-1_0.html#ScopeClaims)).
    public static let profile = Self.known("profile")
    /// The app wants the user's email address.
    public static let email = Self.known("email")
    /// The app wants the user's telephone number.
    public static let phone = Self.known("phone")
    /// The app's refresh token stays valid after the session has ended.
    public static let offlineAccess = Self.known("offline_access")
    /// The scopes of OpenID Connect that this server serves: all except `address`.
    public static let standard = [openID, profile, email, phone, offlineAccess]

    private static func known(_ text: String) -> Self {
        guard let scope = Self(rawValue: text) else { preconditionFailure("the text is a scope") }
        return scope
    }
}

extension Sequence where Element == AppScope {
    /// The value of `scope`: the words, separated by spaces.
    package var text: String { map(\.rawValue).joined(separator: " ") }
}
