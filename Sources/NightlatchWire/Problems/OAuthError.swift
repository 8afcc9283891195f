/// A refusal by an OAuth route ([RFC 6749, section 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2)), with
/// Nightlatch's code in addition to the standard's error word.
public struct OAuthError: Error, Codable, Hashable, Sendable {
    public let error: Word
    /// An optional sentence for people.
    public let description: String?
    public let code: ProblemCode

    /// The error word of the standard. More may be added, so a `switch` over it needs a default. ``OAuthError/code``
    /// gives the exact reason.
    public struct Word: RawRepresentable, Codable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let invalidRequest = Self(rawValue: "invalid_request")
        public static let invalidClient = Self(rawValue: "invalid_client")
        public static let invalidGrant = Self(rawValue: "invalid_grant")
        public static let invalidScope = Self(rawValue: "invalid_scope")
        /// [RFC 6750, section 3.1](https://www.rfc-editor.org/rfc/rfc6750#section-3.1).
        public static let invalidToken = Self(rawValue: "invalid_token")
        public static let insufficientScope = Self(rawValue: "insufficient_scope")
        public static let unauthorizedClient = Self(rawValue: "unauthorized_client")
        public static let unsupportedResponseType = Self(rawValue: "unsupported_response_type")
        /// [RFC 6749, section 4.1.2.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1).
        public static let accessDenied = Self(rawValue: "access_denied")
        /// [OpenID Connect Core, section
        /// 3.1.2.6](https://openid.net/specs/openid-connect-core-1_0.html#AuthError), with the next one.
        public static let loginRequired = Self(rawValue: "login_required")
        public static let requestNotSupported = Self(rawValue: "request_not_supported")
        public static let unsupportedGrantType = Self(rawValue: "unsupported_grant_type")
        /// OpenID Connect Client-Initiated Backchannel Authentication, section 11, with the next one.
        public static let authorizationPending = Self(rawValue: "authorization_pending")
        public static let expiredToken = Self(rawValue: "expired_token")
        /// OpenID Connect Client-Initiated Backchannel Authentication, section 13, with the next one.
        public static let unknownUserID = Self(rawValue: "unknown_user_id")
        public static let invalidBindingMessage = Self(rawValue: "invalid_binding_message")
        /// [RFC 9449, section 5](https://www.rfc-editor.org/rfc/rfc9449#section-5).
        public static let invalidDPoPProof = Self(rawValue: "invalid_dpop_proof")
        /// [RFC 9449, section 8](https://www.rfc-editor.org/rfc/rfc9449#section-8).
        public static let useDPoPNonce = Self(rawValue: "use_dpop_nonce")
        public static let temporarilyUnavailable = Self(rawValue: "temporarily_unavailable")
        public static let serverError = Self(rawValue: "server_error")
    }

    public init(_ error: Word, code: ProblemCode, description: String?) {
        self.error = error
        self.description = description
        self.code = code
    }

    private enum CodingKeys: String, CodingKey {
        case error
        case description = "error_description"
        case code
    }
}
