/// The token endpoint's reply to a grant.
enum TokenReply: Sendable {
    case tokens(TokenAnswer)
    /// The grant is not valid any more: `invalid_grant` of
    /// [RFC 6749, section 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2).
    case invalidGrant(OAuthFault)

    static let invalidGrantStatus = 400

    /// Returns the tokens. Throws if there are none.
    func get() throws(OidcError) -> TokenAnswer {
        switch self {
        case .tokens(let answer): return answer
        case .invalidGrant(let fault): throw .apiError(code: Self.invalidGrantStatus, message: fault.text)
        }
    }
}
