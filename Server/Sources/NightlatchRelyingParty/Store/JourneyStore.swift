public import NightlatchWire

/// The persistent state of journeys. Each verb is one transaction, as in ``RelyingPartyStore``.
public protocol JourneyStore: Sendable {
    /// The keys of `user` that were bound through journeys, oldest first.
    func journeyDevices(of user: UserID) async throws(RelyingPartyStoreError) -> [JourneyDevice]

    /// The key `id` if it belongs to `user`.
    func journeyDevice(_ id: JourneyKeyID, of user: UserID) async throws(RelyingPartyStoreError) -> JourneyDevice?

    /// Whether `key` is already bound, to another user or under another name than `id`.
    ///
    /// A name is never taken: binding under it again replaces the user's key of that name.
    func isJourneyKeyTaken(
        _ key: KeyID, as id: JourneyKeyID, of user: UserID
    ) async throws(RelyingPartyStoreError) -> Bool

    /// A number that increases each time that the user's journeys in progress are stopped: by a new password, the end
    /// of all sessions, or the removal or replacement of a key. It is 0 if there is no such user.
    ///
    /// A step that depends on an earlier number is not recorded, and neither is a step of an unknown user. A new
    /// user begins with a random number, so that a step of a deleted user with the same id is not recorded either.
    func journeyGeneration(of user: UserID) async throws(RelyingPartyStoreError) -> Int

    /// Consumes the right to answer and the messages, and applies the effects of the answer, in one transaction:
    /// creates a user, binds keys, records signatures, begins a session.
    ///
    /// If the evidence for the client's identity no longer holds, the call only consumes the right to answer and the
    /// messages.
    ///
    /// A key that is bound under the name of another key of the user replaces that key. The old key's sessions end,
    /// except the session that the step depends on. The user's journeys in progress are stopped: each replacement
    /// increments ``journeyGeneration(of:)``.
    func recordJourneyStep(_ step: JourneyStep) async throws(RelyingPartyStoreError) -> JourneyStepOutcome

    /// The live session of a token, or nil if there is none. Writes nothing.
    func journeySession(_ token: JourneySessionHash) async throws(RelyingPartyStoreError) -> JourneySession?

    /// The live sessions of `user`, newest first.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - limit: The largest number of sessions to return.
    func journeySessions(of user: UserID, limit: Int) async throws(RelyingPartyStoreError) -> [JourneySession]

    /// Ends the session of a token. Idempotent.
    func endJourneySession(_ token: JourneySessionHash) async throws(RelyingPartyStoreError)

    /// Ends all live sessions of `user`, and stops the user's journeys in progress.
    ///
    /// - Returns: The number of sessions that this call ended.
    func endJourneySessions(of user: UserID, by actor: ActingParty) async throws(RelyingPartyStoreError) -> Int

    /// Renames a key's device. Idempotent.
    ///
    /// - Returns: The device after the call, or nil if `user` has no such key.
    func renameJourneyDevice(
        _ id: JourneyKeyID,
        of user: UserID,
        to name: DeviceName,
        by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> JourneyDevice?

    /// Deletes a key, ends the sessions of journeys in which this key made the last signature, and stops the user's
    /// journeys in progress.
    ///
    /// The session `session`, if not nil, does not end. The key, and another key with the same id, may be bound again.
    ///
    /// - Returns: The deleted key, or nil if `user` has no such key.
    func removeJourneyDevice(
        _ id: JourneyKeyID,
        of user: UserID,
        by actor: ActingParty,
        keeping session: JourneySessionHash?
    ) async throws(RelyingPartyStoreError) -> JourneyDevice?
}
