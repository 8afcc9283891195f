public import NightlatchWire

/// An entry as a store holds it, or what somebody else has put among them. What it says is to be believed only after an
/// ``AuditVerifier`` has seen it in its chain.
public struct AuditRow: Hashable, Sendable {
    public let place: AuditPlace
    /// ``AuditEntry/bytes``.
    public let body: [UInt8]
    /// An ``AuditHash``.
    public let hash: String
    /// When it was written, as far as lists of entries look: the body says it too.
    public let at: NumericDate
    /// Whom lists of entries find it under, if anybody: the body says it too.
    public let user: String?

    public init(place: AuditPlace, body: [UInt8], hash: String, at: NumericDate, user: String?) {
        self.place = place
        self.body = body
        self.hash = hash
        self.at = at
        self.user = user
    }
}
