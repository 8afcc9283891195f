public import NightlatchWire

/// A row of the audit log as the store holds it. A store or an attacker may have written it.
///
/// Trust its contents only after an ``AuditVerifier`` has checked it in its chain.
public struct AuditRow: Hashable, Sendable {
    public let place: AuditPlace
    /// The entry as its hash covers it: one JSON object.
    public let body: [UInt8]
    /// The user and the claims of the entry. The body contains only their hash.
    ///
    /// Nil for an entry about no user, for one that names its user in the body, and after the user was deleted.
    public let personal: [UInt8]?
    /// The row's hash: an ``AuditHash`` if a store wrote the row.
    public let hash: String
    /// The time under which queries find the entry. The body contains it too.
    public let at: NumericDate
    /// The user to which queries attribute the entry, if any, or the pseudonym of a deleted user. The entry contains it
    /// too, except after the user was deleted.
    public let user: String?

    public init(
        place: AuditPlace, body: [UInt8], personal: [UInt8]? = nil, hash: String, at: NumericDate, user: String?
    ) {
        self.place = place
        self.body = body
        self.personal = personal
        self.hash = hash
        self.at = at
        self.user = user
    }
}
