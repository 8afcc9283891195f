public import NightlatchWire

/// A row of the audit log as the store holds it, whether a store or another process wrote it.
///
/// Trust its contents only after an ``AuditVerifier`` has checked it in its chain.
public struct AuditRow: Hashable, Sendable {
    public let place: AuditPlace
    /// ``AuditEntry/bytes``.
    public let body: [UInt8]
    /// The row's hash: an ``AuditHash`` if a store wrote the row.
    public let hash: String
    /// The time under which queries find the entry. The body has it as well.
    public let at: NumericDate
    /// The user to which queries attribute the entry, if any. The body has it as well.
    public let user: String?

    public init(place: AuditPlace, body: [UInt8], hash: String, at: NumericDate, user: String?) {
        self.place = place
        self.body = body
        self.hash = hash
        self.at = at
        self.user = user
    }
}
