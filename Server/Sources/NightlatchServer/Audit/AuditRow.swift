/// An entry as a store holds it. What it says is to be believed only after an ``AuditVerifier`` has seen it in its chain.
public struct AuditRow: Hashable, Sendable {
    public let chain: AuditChainID
    public let sequence: Int
    /// ``AuditEntry/bytes``.
    public let body: [UInt8]
    public let hash: AuditHash

    public init(chain: AuditChainID, sequence: Int, body: [UInt8], hash: AuditHash) {
        self.chain = chain
        self.sequence = sequence
        self.body = body
        self.hash = hash
    }

    /// The row of `entry` after the one whose hash is `previous`; nil for the first of a chain.
    init(_ entry: AuditEntry, after previous: AuditHash?) {
        let body = entry.bytes
        self.init(
            chain: entry.chain, sequence: entry.sequence, body: body,
            hash: AuditHash(of: body, after: previous ?? .start))
    }

    /// Where the chain stands with this row.
    public var head: AuditHead { AuditHead(chain: chain, sequence: sequence, hash: hash) }
}
