public import NightlatchWire

/// How far a chain of the audit log has come, and by which entries: its last hash takes in all before it. Kept elsewhere, signed, it
/// is what a rolled-back, cut or rewritten chain is held against.
public struct AuditHead: Codable, Hashable, Sendable {
    public let chain: AuditChainID
    public let sequence: Int
    public let hash: AuditHash

    public init(chain: AuditChainID, sequence: Int, hash: AuditHash) {
        self.chain = chain
        self.sequence = sequence
        self.hash = hash
    }
}
