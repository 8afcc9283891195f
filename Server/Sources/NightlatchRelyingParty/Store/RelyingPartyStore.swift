public import NightlatchWire

/// The persistent state of a relying party.
///
/// Each verb is one transaction that takes effect completely or not at all, even if several processes share the store
/// or one crashes. The verbs preserve the invariants. A thrown ``RelyingPartyStoreError`` means that the store made no
/// decision; the relying party then answers `unavailable`, and the client may retry. Refusals are results, not errors.
/// One conformance suite runs on every adapter.
public protocol RelyingPartyStore: SigningKeyStore, JourneyStore, PinStore, ConsoleSessionStore, AppStore,
    AppGrantStore, RemoteLoginStore, ProfileStore, PolicyStore, RestoreStore, ListingStore, UserDataStore,
    UserImportStore, APIKeyStore, WebhookStore, MasterKeyStore, OperatorStore
{
    /// Records that `code` lets its user bind one device, and creates the user if there is none yet.
    ///
    /// - Returns: The time at which the code expires. Nil, and nothing is recorded, if the code was issued for a
    ///   password that is no longer the user's.
    func createEnrolmentCode(_ code: NewEnrolmentCode) async throws(RelyingPartyStoreError) -> NumericDate?

    /// Returns the user that `code` would bind `deviceKey` to, or nil if the code is unknown, expired or used by
    /// another key.
    ///
    /// Writes nothing. A code that this key has used gives the same result until a day after it expired.
    func user(enrolledBy code: EnrolmentCodeMAC, deviceKey: KeyID) async throws(RelyingPartyStoreError) -> UserID?

    /// Consumes the challenge and the code and binds the key, in one transaction.
    ///
    /// The same message again, or another message of the same key with the same code, gives the same device. If the
    /// user has already bound the key, a fresh code is consumed and gives the existing device. Refresh tokens that are
    /// bound to another possession key than the device's current one are revoked. If the policy permits only one
    /// device, this device replaces all other unrevoked devices of the user, and their refresh tokens are revoked. The
    /// sessions and the grants of apps from remote logins that a replaced device confirmed end too.
    func bind(_ binding: NewBinding, consuming use: ChallengeUse) async throws(RelyingPartyStoreError) -> BindingOutcome

    /// The device `id` if it belongs to `user`, even if it is blocked or revoked.
    func device(_ id: DeviceID, of user: UserID) async throws(RelyingPartyStoreError) -> DeviceRecord?

    /// The device of `user` that has bound `key`, even if it is blocked or revoked.
    func device(withKey key: KeyID, of user: UserID) async throws(RelyingPartyStoreError) -> DeviceRecord?

    /// Consumes the challenge, records the login and the possession key, and begins a family of refresh tokens that
    /// replaces the device's previous one, in one transaction.
    func recordLogin(
        _ login: NewLogin, consuming use: ChallengeUse
    ) async throws(RelyingPartyStoreError) -> LoginOutcome

    /// Replaces a refresh token.
    ///
    /// Until the successor is first used, presenting the old token again yields a fresh successor and voids the unused
    /// successor, since the response may have been lost. Presenting the old token after that first use, or presenting a
    /// voided token, is reuse, and the family is revoked ([RFC 9700, section
    /// 4.14.2](https://www.rfc-editor.org/rfc/rfc9700#section-4.14.2)). There is no grace period in seconds, because a
    /// phone may sleep before it repeats the request.
    func rotateRefreshToken(_ rotation: RefreshRotation) async throws(RelyingPartyStoreError) -> RotationOutcome

    /// The family `id`, if it is live and its device is neither blocked nor revoked. Writes nothing.
    func refreshFamily(_ id: RefreshFamilyID) async throws(RelyingPartyStoreError) -> LiveRefreshFamily?

    /// Revokes the family `id` if its tokens are bound to `possessionKey`. Idempotent.
    func revokeRefreshFamily(
        _ id: RefreshFamilyID,
        possessionKey: KeyID
    ) async throws(RelyingPartyStoreError) -> FamilyRevocationOutcome

    /// The devices of `user`, oldest first.
    ///
    /// They are the `activeLimit` most recently bound devices that are not revoked, including blocked ones, and the
    /// `revokedLimit` most recently revoked ones.
    func devices(
        of user: UserID,
        activeLimit: Int,
        revokedLimit: Int
    ) async throws(RelyingPartyStoreError) -> [DeviceRecord]

    /// Makes `change`. If the device is then blocked or revoked, its refresh tokens are revoked, and the sessions and
    /// the grants of apps from remote logins that it confirmed end.
    ///
    /// On a revoked device only a change of its name has an effect. Idempotent.
    ///
    /// - Returns: The device after the call, or nil if `user` has no such device.
    func change(
        _ device: DeviceID,
        of user: UserID,
        by actor: ActingParty,
        _ change: DeviceChange
    ) async throws(RelyingPartyStoreError) -> DeviceRecord?

    /// Users whose ids begin with `prefix`, in the byte order of their ids.
    ///
    /// - Parameters:
    ///   - prefix: Nil for all users.
    ///   - last: Only users after this id, which need not exist.
    ///   - limit: The largest number of users to return.
    func users(
        startingWith prefix: UserID?,
        after last: UserID?,
        limit: Int
    ) async throws(RelyingPartyStoreError) -> [UserRecord]

    /// The user `id`, or nil if there is none.
    func user(_ id: UserID) async throws(RelyingPartyStoreError) -> UserRecord?

    /// Records a transaction for a user to decide. Idempotent for an identical transaction.
    func createTransaction(_ transaction: NewTransaction) async throws(RelyingPartyStoreError) -> TransactionCreation

    /// The transaction `id`, or nil if there is none.
    ///
    /// - Throws: ``RelyingPartyStoreError`` `corrupt` also if the stored details were changed after they were recorded.
    func transaction(_ id: TransactionID) async throws(RelyingPartyStoreError) -> RecordedTransaction?

    /// The transactions of `user`, oldest first: all pending ones, and the `endedLimit` newest of those that have
    /// ended.
    func transactions(of user: UserID, endedLimit: Int) async throws(RelyingPartyStoreError) -> [RecordedTransaction]

    /// Voids a pending transaction. Idempotent.
    func voidTransaction(
        _ id: TransactionID, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> VoidingOutcome

    /// Consumes the challenge and decides the transaction, in one transaction of the store.
    ///
    /// The transaction must be pending by the store's clock and meant for the device, and its details must be those
    /// that were signed. At most one decision is recorded.
    ///
    /// The same message again gives the same outcome as long as its challenge is live.
    func decideTransaction(
        _ decision: NewDecision, consuming use: ChallengeUse
    ) async throws(RelyingPartyStoreError)
        -> DecisionOutcome

    /// Sets the password of `user`, and creates the user if there is none yet.
    ///
    /// The count of wrong attempts starts again at zero. Unused enrolment codes become invalid, the user's journey
    /// sessions end, and journeys in progress are stopped. Devices stay logged in, because their logins depend on their
    /// keys.
    func setPassword(
        _ password: StoredPassword, of user: UserID, by actor: ActingParty
    ) async throws(RelyingPartyStoreError)

    /// Charges a password attempt before it is tested, and returns the password to test it against.
    ///
    /// Parallel attempts therefore cannot exceed the limit of ``PasswordThrottle``. Returns nil, and writes nothing, if
    /// the user has no password or must wait.
    func chargePasswordAttempt(of user: UserID) async throws(RelyingPartyStoreError) -> StoredPassword?

    /// Takes back one charge of an attempt that could not be tested. If another password has been set since then,
    /// nothing changes.
    ///
    /// A wait that the charge has begun is shortened to the wait before it.
    func takeBackPasswordAttempt(
        _ password: StoredPassword, of user: UserID
    ) async throws(RelyingPartyStoreError)

    /// Removes the charge of a right attempt. If another password has been set since then, nothing changes.
    ///
    /// - Parameters:
    ///   - password: The password that the attempt was tested against.
    ///   - raised: The same password, hashed with the current parameters, which replaces `password`; nil to keep
    ///     `password`.
    ///   - user: The user.
    /// - Returns: Whether `password` was still stored.
    @discardableResult
    func acceptPassword(
        _ password: StoredPassword,
        raisedTo raised: StoredPassword?,
        of user: UserID
    ) async throws(RelyingPartyStoreError) -> Bool

    /// Appends an event to an audit log chain that only this store writes.
    ///
    /// The other verbs append their own events in their own transaction. An event about a user is appended only by a
    /// verb that locks the user or one of the user's records: the deletion of the user then finds the entry.
    func audit(_ event: AuditEvent) async throws(RelyingPartyStoreError)

    /// The head of each chain of the audit log, in the order of the chains' names.
    func auditHeads() async throws(RelyingPartyStoreError) -> [AuditHead]

    /// At most `limit` rows of the whole audit log as they are stored, ordered by ``AuditPlace``.
    ///
    /// They are not verified: another process or an attacker may have written them.
    ///
    /// - Parameters:
    ///   - place: Only rows after this one; nil to start with the first.
    ///   - limit: The largest number of rows to return.
    func auditRows(after place: AuditPlace?, limit: Int) async throws(RelyingPartyStoreError) -> [AuditRow]

    /// Deletes expired records: used challenges (``ChallengeUse/retention`` after they expired), enrolment codes (a day
    /// after), remote logins (a day after), transactions (90 days after), journey steps, journey sessions, console
    /// sessions, authorization codes and grants of apps, and dead letters of webhooks (90 days after the last attempt).
    ///
    /// Correctness does not depend on this call: no verb accepts a record that has expired for good. The call also
    /// shortens the lifetimes of enrolment codes and journey sessions that were written while the clock was ahead, see
    /// ``ExpiryLimit``. It runs as many small transactions, so that other verbs can run in between.
    ///
    /// - Parameter times: The times before which expired records are deleted, whatever the store's clock reads, and the
    ///   limits of lifetimes.
    func purgeExpired(before times: PurgeTimes) async throws(RelyingPartyStoreError)

    /// Writes to the disk, and returns if the store can be read and written.
    func checkReadiness() async throws(RelyingPartyStoreError)
}

extension RelyingPartyStore {
    /// Revokes the device and all its refresh tokens. Idempotent.
    ///
    /// - Returns: The device after the call, or nil if `user` has no such device.
    public func revoke(
        _ device: DeviceID,
        of user: UserID,
        by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> DeviceRecord? {
        try await change(device, of: user, by: actor, .revoke)
    }
}
