public import NightlatchWire

/// A row of the audit log as the store holds it. A store or an attacker may have written it.
///
/// Trust its contents only after an ``AuditVerifier`` has checked it in its chain.
public struct AuditRow: Hashable, Sendable {
    public let place: AuditPlace
    /// ``AuditEntry/bytes``.
    public let body: [UInt8]
    /// The row's hash: an ``AuditHash`` if a store wrote the row.
    public let hash: String
    /// The time under which queries find the entry. The body contains it too.
    public let at: NumericDate
    /// The user to which queries attribute the entry, if any. The body contains it too.
    public let user: String?

    public init(place: AuditPlace, body: [UInt8], hash: String, at: NumericDate, user: String?) {
        self.place = place
        self.body = body
        self.hash = hash
        self.at = at
        self.user = user
    }
}
