public import NightlatchWire

/// An entry as a store holds it. What it says is to be believed only after an ``AuditVerifier`` has seen it in its chain.
public struct AuditRow: Hashable, Sendable {
    public let chain: AuditChainID
    public let sequence: Int
    /// ``AuditEntry/bytes``.
    public let body: [UInt8]
    public let hash: AuditHash
    /// When it was written, as far as lists of entries look: the body says it too.
    public let at: NumericDate
    /// Whom lists of entries find it under, if anybody: the body says it too.
    public let user: String?

    public init(chain: AuditChainID, sequence: Int, body: [UInt8], hash: AuditHash, at: NumericDate, user: String?) {
        self.chain = chain
        self.sequence = sequence
        self.body = body
        self.hash = hash
        self.at = at
        self.user = user
    }

    /// The row of `entry` after the one whose hash is `previous`; nil for the first of a chain.
    init(_ entry: AuditEntry, after previous: AuditHash?) {
        let body = entry.bytes
        self.init(
            chain: entry.chain, sequence: entry.sequence, body: body,
            hash: AuditHash(of: body, after: previous ?? .start), at: entry.at, user: entry.event.user?.rawValue)
    }

    /// Where the chain stands with this row.
    public var head: AuditHead { AuditHead(chain: chain, sequence: sequence, hash: hash) }
}
