public import NightlatchWire

/// The authorization codes and the grants of apps. Each verb is one transaction, as in ``RelyingPartyStore``.
///
/// A grant ends with the session that it is from if the session is signed off, unless
/// ``AppAuthorization/outlivesSession``. It always ends if all sessions of its user are ended, if the user's password
/// is set, and if the key that signed in its journey is removed or replaced, except by the grant's own session. It
/// stays if the session expires.
public protocol AppGrantStore: Sendable {
    /// Records a code under its hash for ``AuthorizationCode/life``.
    ///
    /// - Returns: False, and nothing is recorded, if the session of the code is not live or its app is not registered.
    func recordAuthorizationCode(
        _ code: AuthorizationCode, as hash: AuthorizationCodeHash
    ) async throws(RelyingPartyStoreError) -> Bool

    /// Consumes a code and records the grant that it is exchanged for, in one transaction.
    ///
    /// After a thrown error the exchange may have been recorded. A second call would then revoke the grant, so the
    /// caller begins with another code.
    func redeemAuthorizationCode(
        _ redemption: CodeRedemption
    ) async throws(RelyingPartyStoreError) -> CodeRedemptionOutcome

    /// Replaces a refresh token of a grant, as ``AppGrant`` describes.
    ///
    /// After a thrown error the same call may be repeated: for a minute it gives the same token.
    func refreshAppGrant(_ refresh: GrantRefresh) async throws(RelyingPartyStoreError) -> GrantRefreshOutcome

    /// The grant, or nil if it has ended or if the access token `token` of it was revoked. Writes nothing.
    func appGrant(_ id: GrantID, of token: MessageID?) async throws(RelyingPartyStoreError) -> AppGrant?

    /// Revokes an access token until it expires. Its grant and its refresh token stay valid. Idempotent.
    func revokeAppToken(
        _ token: MessageID, until end: NumericDate, of grant: GrantID
    ) async throws(RelyingPartyStoreError)

    /// Ends a grant of `client`. Idempotent.
    func revokeAppGrant(_ id: GrantID, of client: ClientID) async throws(RelyingPartyStoreError)
}
