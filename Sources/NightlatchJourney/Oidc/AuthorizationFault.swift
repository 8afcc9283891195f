/// The reason for an ``OidcError/authorizeError(cause:message:)``. It decides whether the advice is a new login.
enum AuthorizationFault: Error, Hashable, Sendable {
    /// There is no session, or another login has replaced the user's.
    case noSession
    /// The server's error.
    case refused(OAuthFault)
    /// The answer belongs to another request, client or user, or comes from another server.
    case foreign
    /// The discovery document names a server to which the session may not be sent.
    case untrusted
}
