/// Where a row of the audit log lies, in the words of the database: by the name of its chain, byte by byte, then by its sequence.
public struct AuditPlace: Hashable, Sendable {
    /// An ``AuditChainID``, if a store has written it.
    public let chain: String
    /// 1 for a chain's first entry, if a store has written it.
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
