/// The claims about a user from the server: texts, numbers, booleans, and arrays and dictionaries of these.
public typealias UserInfo = [String: any Sendable]

/// The user of a journey's session; ``Journey/journeyUser()`` returns one.
///
/// ```swift
/// guard let user = await journey.journeyUser() else { return }
/// switch await user.token() {
/// case .success(let token): call(with: token.accessToken)
/// case .failure(let error): show(error.localizedDescription)
/// }
/// ```
public protocol User: Sendable {
    /// The session at the time of ``Journey/journeyUser()``. Nil if the user has tokens only.
    var session: (any SSOToken)? { get }

    /// Returns the stored tokens while they are valid. Otherwise it renews them, with the refresh token or with the
    /// session.
    ///
    /// Any number of callers can call this at the same time; at most one request renews the tokens. Cancelling one
    /// caller's task does not cancel the request, because the server may already have replaced the refresh token.
    func token() async -> Result<Token, OidcError>

    /// Renews the tokens, even if they are valid.
    func refresh() async -> Result<Token, OidcError>

    /// Revokes the tokens at the server, and removes them from this device even if the server does not answer. The
    /// session remains, so ``token()`` gets new tokens.
    func revoke() async

    /// Returns the user's claims.
    ///
    /// - Parameter cache: Whether claims from an earlier call are enough.
    func userinfo(cache: Bool) async -> Result<UserInfo, OidcError>

    /// Revokes the tokens and ends the session at the server, and removes both from this device even if the server does
    /// not answer. ``Journey/signOff()`` reports whether the server answered.
    func logout() async
}
