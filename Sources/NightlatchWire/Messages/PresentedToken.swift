/// A token to revoke ([RFC 7009, section 2.1](https://www.rfc-editor.org/rfc/rfc7009#section-2.1)) or to introspect
/// ([RFC 7662, section 2.1](https://www.rfc-editor.org/rfc/rfc7662#section-2.1)). It is sent as a form.
public enum PresentedToken: Hashable, Sendable {
    case access(AccessToken)
    case refresh(RefreshToken)

    /// The form's fields.
    public var fields: [String: String] {
        switch self {
        case .access(let token): [Field.token: token.rawValue, Field.hint: "access_token"]
        case .refresh(let token): [Field.token: token.rawValue, Field.hint: "refresh_token"]
        }
    }

    /// The token in a form's fields. The hint is ignored, because a token itself shows its kind.
    ///
    /// - Throws: ``OAuthError`` with `invalid_request` if the form contains no token.
    public static func text(in fields: [String: String]) throws(OAuthError) -> String {
        guard let text = fields[Field.token], !text.isEmpty else {
            throw OAuthError(.invalidRequest, code: .malformedRequest, description: "The form contains no token.")
        }
        return text
    }

    private enum Field {
        static let token = "token"
        static let hint = "token_type_hint"
    }
}
