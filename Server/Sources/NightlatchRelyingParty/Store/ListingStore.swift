public import NightlatchWire

/// The lists in which operators search, and the figures of their overview.
///
/// The work of each verb is bounded, however many users, devices and entries there are: every list is read along an
/// index, and nothing is counted beyond a limit.
public protocol ListingStore: Sendable {
    /// Users whose ids begin with `prefix`, without regard to case, in the order of their folded ids.
    ///
    /// - Parameters:
    ///   - prefix: Nil for all users.
    ///   - position: Only users after this place.
    ///   - limit: The largest number of users to return.
    func users(
        matching prefix: SearchText?, after position: ListPosition?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [UserRecord]

    /// The devices of all users that match `filter`, in the order of their folded names, then of their ids. In that of
    /// their ids alone, if ids or the states of PINs select them.
    func devices(
        matching filter: DeviceFilter, after position: ListPosition?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [DeviceRecord]

    /// The transactions of all users that match `filter`, newest first.
    ///
    /// Pending and expired ones of all users are in the order in which they expire, latest first.
    func transactions(
        matching filter: TransactionFilter, before position: TimePosition?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [RecordedTransaction]

    /// The remote logins of all users that wait for a decision, the one that expires last first.
    func waitingRemoteLogins(
        before position: TimePosition?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [RemoteLogin]

    /// The entries of all chains of the audit log that match `filter`, newest first by ``AuditPosition``.
    ///
    /// Entries of the same second are in order only within a chain.
    ///
    /// - Parameters:
    ///   - filter: The entries to return.
    ///   - position: Only entries older than this one.
    ///   - limit: The largest number of entries to return.
    func auditEntries(
        matching filter: AuditFilter, before position: AuditPosition?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [AuditEntry]

    /// The number of rows of a list, but at most `limit`.
    func count(_ list: CountedList, limit: Int) async throws(RelyingPartyStoreError) -> Int

    /// Counts the events of the next minutes of the audit log, for ``eventFigures()``.
    ///
    /// - Returns: Whether more minutes are to be counted.
    func countEvents() async throws(RelyingPartyStoreError) -> Bool

    /// The numbers of events that ``countEvents()`` has counted. Writes nothing.
    func eventFigures() async throws(RelyingPartyStoreError) -> EventFigures

    /// Folds the next ids and names that an older version has written, so that they are found.
    ///
    /// Until then, their users and devices come first in each list, and a search by the beginning of an id or a name
    /// does not find them.
    ///
    /// - Returns: Whether more are to be folded.
    func foldNames() async throws(RelyingPartyStoreError) -> Bool
}

/// A list whose rows can be counted.
public enum CountedList: Hashable, Sendable {
    case users(matching: SearchText?)
    case devices(DeviceFilter)
    case transactions(TransactionFilter)
    case waitingRemoteLogins
    case auditEntries(AuditFilter)
}

extension ListingStore {
    /// The entries about `user`, or all entries for nil, newest first.
    public func auditEntries(
        of user: UserID?, before position: AuditPosition?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [AuditEntry] {
        try await auditEntries(matching: AuditFilter(user: user), before: position, limit: limit)
    }
}
