/// A refusal by an OAuth route ([RFC 6749, section 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2)) with our code
/// beside the standard's word.
public struct OAuthError: Error, Codable, Hashable, Sendable {
    public let error: Word
    /// One sentence for people.
    public let description: String
    public let code: ProblemCode

    /// The standard's words that our routes answer.
    public enum Word: String, Codable, Sendable {
        case invalidRequest = "invalid_request"
        case invalidClient = "invalid_client"
        case invalidGrant = "invalid_grant"
        case unsupportedGrantType = "unsupported_grant_type"
        /// [RFC 9449, section 5](https://www.rfc-editor.org/rfc/rfc9449#section-5).
        case invalidDPoPProof = "invalid_dpop_proof"
        case temporarilyUnavailable = "temporarily_unavailable"
        case serverError = "server_error"
    }

    public init(_ error: Word, code: ProblemCode, description: String) {
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
