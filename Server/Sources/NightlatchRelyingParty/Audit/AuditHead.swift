public import NightlatchWire

/// The sequence number and the hash of the last entry of an audit log chain. The hash covers all earlier entries.
///
/// A signed copy that is kept elsewhere reveals that the chain was rolled back, truncated or rewritten.
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
