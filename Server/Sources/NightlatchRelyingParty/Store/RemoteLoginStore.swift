public import NightlatchWire

/// The remote logins: logins in browsers and of backends that a device of the user decides. Each verb is one
/// transaction, as in ``RelyingPartyStore``.
public protocol RemoteLoginStore: Sendable {
    /// Records a login that waits for the user, or finds the one with the same id. Idempotent.
    ///
    /// If devices of two users open one login, it becomes `contested`.
    ///
    /// After a thrown error the same call may be repeated: it records at most one login.
    func openRemoteLogin(_ login: RemoteLogin) async throws(RelyingPartyStoreError) -> RemoteLoginOpening

    /// The login `id` in its current state, or nil if there is none. Writes nothing.
    func remoteLogin(_ id: RemoteLoginID) async throws(RelyingPartyStoreError) -> RemoteLogin?

    /// The logins of `user` whose time of expiry has not passed, in any state, oldest first. Writes nothing.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - limit: The maximum number of logins to return. If there are more, the newest are returned.
    func remoteLogins(of user: UserID, limit: Int) async throws(RelyingPartyStoreError) -> [RemoteLogin]

    /// Records a decision and consumes its challenge, in one transaction. At most one decision is recorded.
    ///
    /// The same message again gives the current state of the login as long as its challenge is live. So after a thrown
    /// error the same call may be repeated.
    func decideRemoteLogin(
        _ decision: NewRemoteLoginDecision, consuming use: ChallengeUse
    ) async throws(RelyingPartyStoreError) -> RemoteLoginDecisionOutcome

    /// Continues with a confirmed login, once: begins a session, and records the access of the app, in one
    /// transaction.
    ///
    /// The key of the session is the device that confirmed the login: the session and the grants from it end if the
    /// device is blocked, revoked or replaced.
    ///
    /// After a thrown error the login may have been completed. The user then begins again.
    func completeRemoteLogin(
        _ completion: RemoteLoginCompletion
    ) async throws(RelyingPartyStoreError) -> RemoteLoginCompletionOutcome
}
