/// The position of a row of the audit log as the database stores it.
///
/// Rows sort by the bytes of the chain's name, then by sequence.
public struct AuditPlace: Hashable, Sendable {
    /// The chain's name: an ``AuditChainID`` if a store wrote the row.
    public let chain: String
    /// The position in the chain: from 1 if a store wrote the row.
    public let sequence: Int

    public init(chain: String, sequence: Int) {
        self.chain = chain
        self.sequence = sequence
    }
}

extension AuditPlace: Comparable {
    public static func < (left: Self, right: Self) -> Bool {
        left.chain == right.chain
            ? left.sequence < right.sequence : left.chain.utf8.lexicographicallyPrecedes(right.chain.utf8)
    }
}
