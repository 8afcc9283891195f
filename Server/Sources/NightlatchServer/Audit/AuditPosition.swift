public import NightlatchWire

/// Where an entry stands among those of all chains: by its time, then by chain and sequence.
public struct AuditPosition: Hashable, Sendable {
    public let at: NumericDate
    public let chain: AuditChainID
    public let sequence: Int

    public init(of entry: AuditEntry) {
        at = entry.at
        chain = entry.chain
        sequence = entry.sequence
    }
}

extension AuditPosition: Comparable {
    public static func < (left: Self, right: Self) -> Bool {
        (left.at, left.chain.rawValue, left.sequence) < (right.at, right.chain.rawValue, right.sequence)
    }
}
