public import NightlatchWire

/// What a relying party remembers.
///
/// The verbs are its invariants: each is one transaction that happens whole or not at all, whichever process asks and
/// whichever dies. A thrown ``StoreError`` means that nothing was decided; the caller answers `unavailable` and may ask
/// again. Refusals are results, not errors. One conformance suite runs on every adapter.
public protocol RelyingPartyStore: SigningKeyStore, JourneyStore, PinStore, ConsoleSessionStore {
    /// Notes that `code` lets its user bind one device, and makes the user if there is none yet.
    ///
    /// - Returns: When the code is of no more use; nil, and nothing is noted, if the password that it was given for is not the user's any
    ///   more.
    func createEnrolmentCode(_ code: NewEnrolmentCode) async throws(StoreError) -> NumericDate?

    /// Whom `code` would bind `deviceKey` to, or nil for a code that is unknown, expired or used by another key. Writes
    /// nothing. A code that this key has used answers as before, until a day after it expired.
    func user(enrolledBy code: EnrolmentCodeMAC, deviceKey: KeyID) async throws(StoreError) -> UserID?

    /// Uses up the challenge and the code and binds the key, at once.
    ///
    /// The same message again, or another one of the same key with the same code, gives the same device again. A code that
    /// is fresh, with a key that its user has bound already, is used up and gives the device that is there. Refresh tokens that
    /// hang on another possession key than the one that the device has now are revoked. Where a user has one device, all others
    /// of the user that are not revoked are replaced by this one, and their refresh tokens revoked.
    func bind(_ binding: NewBinding, consuming use: ChallengeUse) async throws(StoreError) -> BindingOutcome

    /// The device `id` if it is one of `user`, barred or not.
    func device(_ id: DeviceID, of user: UserID) async throws(StoreError) -> RegisteredDevice?

    /// The device that has bound `key`, if it is one of `user`, barred or not.
    func device(withKey key: KeyID, of user: UserID) async throws(StoreError) -> RegisteredDevice?

    /// Uses up the challenge, notes the login and the possession key, and begins a family of refresh tokens in the place of the
    /// one that the device had, at once.
    func recordLogin(_ login: NewLogin, consuming use: ChallengeUse) async throws(StoreError) -> LoginOutcome

    /// Replaces a refresh token.
    ///
    /// Until its successor is first used, a token that is presented again yields a fresh successor and voids the unused
    /// one: an answer was lost on the way. After that, or when a voided token is presented, it is reuse, and the family is
    /// revoked ([RFC 9700, section 4.14.2](https://www.rfc-editor.org/rfc/rfc9700#section-4.14.2)). There is no window in
    /// seconds, because phones sleep.
    func rotateRefreshToken(_ rotation: RefreshRotation) async throws(StoreError) -> RotationOutcome

    /// The family `id`, if it lives and nothing bars its device. Writes nothing.
    func refreshFamily(_ id: RefreshFamilyID) async throws(StoreError) -> LiveRefreshFamily?

    /// Revokes the family `id`, if its tokens go with proofs by `possessionKey`. Again changes nothing.
    func revokeRefreshFamily(
        _ id: RefreshFamilyID,
        possessionKey: KeyID
    ) async throws(StoreError) -> FamilyRevocationOutcome

    /// Devices of `user`, oldest first: the `activeLimit` that were bound last of those that are not revoked, blocked ones among them, and the
    /// `revokedLimit` that were revoked last.
    func devices(
        of user: UserID,
        activeLimit: Int,
        revokedLimit: Int
    ) async throws(StoreError) -> [RegisteredDevice]

    /// Makes `change`, if the device is not revoked or it is its name that changes, and revokes the refresh tokens of one that is barred by then. Again
    /// changes nothing.
    ///
    /// - Returns: The device as it stands now, or nil if `user` has no such device.
    func change(
        _ device: DeviceID,
        of user: UserID,
        by actor: ActingParty,
        _ change: DeviceChange
    ) async throws(StoreError) -> RegisteredDevice?

    /// At most `limit` users whose ids begin with `prefix`, in the order of their ids, byte by byte.
    ///
    /// - Parameters:
    ///   - prefix: Nil for all.
    ///   - last: Only those that come after this one, be there such a user or not.
    ///   - limit: How many at most.
    func users(
        startingWith prefix: UserID?,
        after last: UserID?,
        limit: Int
    ) async throws(StoreError) -> [RegisteredUser]

    /// The user `id`, or nil if there is none.
    func user(_ id: UserID) async throws(StoreError) -> RegisteredUser?

    /// Records a transaction for a user to decide. The very same again changes nothing.
    func createTransaction(_ transaction: NewTransaction) async throws(StoreError) -> TransactionCreation

    /// The transaction `id`, or nil if there is none.
    ///
    /// - Throws: ``StoreError`` `corrupt` also for one whose details are not those that were recorded.
    func transaction(_ id: TransactionID) async throws(StoreError) -> RecordedTransaction?

    /// Transactions of `user`, oldest first: all that are pending, and of the others the `endedLimit` that were created last.
    func transactions(of user: UserID, endedLimit: Int) async throws(StoreError) -> [RecordedTransaction]

    /// Takes a transaction back that is pending. Again changes nothing.
    func voidTransaction(_ id: TransactionID, by actor: ActingParty) async throws(StoreError) -> VoidingOutcome

    /// Uses up the challenge and decides the transaction, at once: if it is pending by the store's clock, meant for the device, and of
    /// the details that were signed. Of any number of decisions one is recorded.
    ///
    /// The same message again gives the same outcome, for as long as its challenge lives.
    func decideTransaction(
        _ decision: NewDecision, consuming use: ChallengeUse
    ) async throws(StoreError)
        -> DecisionOutcome

    /// Sets the password of `user`, and makes the user if there is none yet. The count of wrong ones begins anew, enrolment codes that
    /// nobody has used are of no more use, the sessions that journeys gave the user end, and those that are under way are stopped. Devices
    /// stay logged in: their logins rest on their keys.
    func setPassword(_ password: StoredPassword, of user: UserID) async throws(StoreError)

    /// Counts an attempt as a wrong one, before it is known whether it is, and gives what it must be held against. So of many
    /// attempts at once no more are tried than ``PasswordThrottle`` allows. A user who has no password, and one who must wait, get
    /// nothing, and nothing is written.
    func chargePasswordAttempt(of user: UserID) async throws(StoreError) -> StoredPassword?

    /// Takes the count back after a right attempt: `password` was what it was held against. If another was set meanwhile, nothing
    /// changes.
    ///
    /// - Parameters:
    ///   - password: What the attempt was held against.
    ///   - raised: The same password under better parameters, to take its place; nil to leave it.
    ///   - user: Whose it is.
    func acceptPassword(
        _ password: StoredPassword,
        raisedTo raised: StoredPassword?,
        of user: UserID
    ) async throws(StoreError)

    /// Appends an event to a chain of the audit log that this store alone writes. What the other verbs do they write down themselves, in their own
    /// transaction.
    func audit(_ event: AuditEvent) async throws(StoreError)

    /// Where each chain of the audit log stands, in the order of their names.
    func auditHeads() async throws(StoreError) -> [AuditHead]

    /// At most `limit` rows of the whole audit log, chain by chain and in the order of their places, as they are held: nothing in them was
    /// verified, and they may be what no store would write.
    ///
    /// - Parameters:
    ///   - place: Only rows after this one; nil to begin with the first.
    ///   - limit: How many at most.
    func auditRows(after place: AuditPlace?, limit: Int) async throws(StoreError) -> [AuditRow]

    /// The newest entries of all chains, newest first by ``AuditPosition``: those of one second are in order only within a chain.
    ///
    /// - Parameters:
    ///   - user: Whose; nil for everybody's and nobody's.
    ///   - position: Only what is older than this one.
    ///   - limit: How many at most.
    func auditEntries(
        of user: UserID?,
        before position: AuditPosition?,
        limit: Int
    ) async throws(StoreError) -> [AuditEntry]

    /// Forgets what can no longer serve: used challenges (``ChallengeUse/retention`` after they expired), enrolment codes (a day
    /// after), transactions (90 days after), what journeys asked, their sessions and those of the console.
    /// Whether it was called decides nothing: no verb takes what has expired for good.
    ///
    /// It also cuts the lives of enrolment codes and of journeys' sessions that were written while the clock was ahead,
    /// see ``ExpiryLimit``.
    ///
    /// It is not one transaction but as many small ones as it takes, so that other verbs have their turn in between.
    ///
    /// - Parameter times: What has not expired by then is kept, whatever the store's clock says; and where lives are
    ///   cut.
    func purgeExpired(before times: PurgeTimes) async throws(StoreError)

    /// Returns if the store can be read and written now: it has written something and that is on disk.
    func checkReadiness() async throws(StoreError)
}

extension RelyingPartyStore {
    /// Revokes the device and all its refresh tokens. Again changes nothing.
    ///
    /// - Returns: The device as it stands now, or nil if `user` has no such device.
    public func revoke(
        _ device: DeviceID,
        of user: UserID,
        by actor: ActingParty
    ) async throws(StoreError) -> RegisteredDevice? {
        try await change(device, of: user, by: actor, .revoke)
    }
}
