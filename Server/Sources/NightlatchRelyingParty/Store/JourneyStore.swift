public import NightlatchWire

/// What journeys remember. As with the other verbs of a ``RelyingPartyStore``, each is one transaction.
public protocol JourneyStore: Sendable {
    /// The keys of `user` that were bound through journeys, oldest first.
    func journeyDevices(of user: UserID) async throws(StoreError) -> [JourneyDevice]

    /// The key `id` if it is one of `user`.
    func journeyDevice(_ id: JourneyKeyID, of user: UserID) async throws(StoreError) -> JourneyDevice?

    /// Whether `key` is bound already, to another user or under another name than `id`. A name itself is never taken: binding under it again
    /// replaces the user's key of that name.
    func isJourneyKeyTaken(_ key: KeyID, as id: JourneyKeyID, of user: UserID) async throws(StoreError) -> Bool

    /// How often journeys of `user` that were under way were stopped: by another password, the end of all sessions, or the removal or
    /// replacement of a key. What rests on an earlier number is recorded no more.
    func journeyGeneration(of user: UserID) async throws(StoreError) -> Int

    /// Uses up the right to answer and the messages, and does what the answer does, at once: binds keys, notes signatures, begins a
    /// session. Nothing is done unless what the client is known by holds still.
    ///
    /// A key that is bound under the name of another key of the user replaces that key. The old key's sessions end, except the one that the
    /// step rests on, and the user's journeys under way are stopped, each replacement raising ``journeyGeneration(of:)`` by one.
    func recordJourneyStep(_ step: JourneyStep) async throws(StoreError) -> JourneyStepOutcome

    /// The session of a token, or nil if there is none that lives. Writes nothing.
    func journeySession(_ token: JourneySessionHash) async throws(StoreError) -> JourneySession?

    /// The sessions of `user` that live, newest first.
    ///
    /// - Parameters:
    ///   - user: Whose.
    ///   - limit: How many at most.
    func journeySessions(of user: UserID, limit: Int) async throws(StoreError) -> [JourneySession]

    /// Ends the session of a token. Again changes nothing.
    func endJourneySession(_ token: JourneySessionHash) async throws(StoreError)

    /// Ends all sessions of `user` that live, and stops the user's journeys that are under way.
    ///
    /// - Returns: How many there were.
    func endJourneySessions(of user: UserID, by actor: ActingParty) async throws(StoreError) -> Int

    /// Gives a key's device another name. The same name again changes nothing.
    ///
    /// - Returns: The device as it stands now, or nil if `user` has no such key.
    func renameJourneyDevice(
        _ id: JourneyKeyID,
        of user: UserID,
        to name: DeviceName,
        by actor: ActingParty
    ) async throws(StoreError) -> JourneyDevice?

    /// Forgets a key, ends the sessions that it began, save that of `session`, if there is one to keep, and stops the user's journeys that are
    /// under way. Its name and the key may be bound again.
    ///
    /// - Returns: What is forgotten, or nil if `user` has no such key.
    func removeJourneyDevice(
        _ id: JourneyKeyID,
        of user: UserID,
        by actor: ActingParty,
        keeping session: JourneySessionHash?
    ) async throws(StoreError) -> JourneyDevice?
}
