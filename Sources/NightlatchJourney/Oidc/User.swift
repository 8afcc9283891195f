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
///
/// A user belongs to one login. After another login, every call of the earlier user fails or does nothing: ask the
/// journey for the new user.
///
/// An error of a storage costs no user the login. Tokens or a session that could not be stored are used from memory,
/// and stored by a later call. If the app ends before that, the user must log in again. Tokens or a session that could
/// not be deleted are not used any more, and a later call deletes them. If the app ends before that, they count after
/// the next start.
public protocol User: Sendable {
    /// The session at the time of ``Journey/journeyUser()``. Nil if the user has tokens only, or if the session could
    /// not be read.
    var session: (any SSOToken)? { get }

    /// Returns the stored tokens while they are valid. Otherwise it renews them, with the refresh token or with the
    /// session.
    ///
    /// Any number of callers can call this at the same time; at most one request renews the tokens. Cancelling one
    /// caller's task does not cancel the request, because the server may already have replaced the refresh token.
    func token() async -> Result<Token, OidcError>

    /// Renews the tokens, even if they are valid.
    func refresh() async -> Result<Token, OidcError>

    /// Removes the tokens from this device, then revokes them at the server. They are removed even if the server does
    /// not answer. The session remains, so ``token()`` gets new tokens.
    func revoke() async

    /// Returns the user's claims.
    ///
    /// - Parameter cache: Whether claims from an earlier call are enough.
    func userinfo(cache: Bool) async -> Result<UserInfo, OidcError>

    /// Removes session and tokens from this device, then revokes the tokens and ends the session at the server.
    ///
    /// Both are removed even if the server does not answer. ``Journey/journeySignOff()`` does the same and reports
    /// errors. It runs to its end even if its caller is cancelled.
    func logout() async
}
