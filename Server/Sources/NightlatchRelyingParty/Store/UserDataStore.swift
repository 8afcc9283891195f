public import NightlatchWire

/// Everything that a store keeps about a user: to export it, and to delete it. Each verb is one transaction, as in
/// ``RelyingPartyStore``.
public protocol UserDataStore: Sendable {
    /// Returns a user whose records are about to be exported, and records that in the audit log.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - actor: The party that exports the records.
    /// - Returns: The user; nil if there is no such user, and then nothing is recorded.
    func beginExport(
        of user: UserID, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> UserRecord?

    /// The next records of one kind about `user`, in any state: also those that have ended or expired. Writes nothing.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - user: The user. An unknown user has no records.
    ///   - place: Only records after this one; nil to start with the first.
    ///   - limit: The largest number of records to return.
    func userData(
        _ kind: UserDataKind, of user: UserID, after place: [UInt8]?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [UserDataEntry]

    /// Deletes a user and everything that the store keeps about them.
    ///
    /// It deletes:
    /// - devices, their keys, logins, tokens, used challenges and two-party PINs;
    /// - enrolment codes, the password, the profile, the policy and the role of an operator;
    /// - keys and sessions of journeys, transactions, remote logins, and codes and grants of apps.
    ///
    /// The entries of the audit log stay. Their personal part is erased, and they are filed under a pseudonym. Events
    /// that wait for delivery to a webhook are delivered under the pseudonym.
    ///
    /// Once this call has returned, no token, code, message or journey of the user is accepted, also if a user with the
    /// same id is created later. After a thrown error the user may be deleted; a repeated call then finds no such user.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - actor: The party that deletes the user.
    ///   - reason: The reason, for the audit log.
    func deleteUser(
        _ user: UserID, by actor: ActingParty, because reason: AuditReason
    ) async throws(RelyingPartyStoreError) -> UserDeletionOutcome
}
