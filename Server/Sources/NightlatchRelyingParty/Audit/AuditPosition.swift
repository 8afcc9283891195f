public import NightlatchWire

/// The position of an entry among the entries of all chains: by time, then chain, then sequence.
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

extension AuditPosition: LosslessStringConvertible {
    /// The position as `TIME.CHAIN.SEQUENCE`. A client sends it back to get the next page.
    public var description: String { "\(at.secondsSince1970).\(chain).\(sequence)" }

    /// Parses a ``description``; returns nil for anything else.
    public init?(_ description: String) {
        let parts = description.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let seconds = Int(parts[0]), let chain = AuditChainID(rawValue: String(parts[1])),
            let sequence = Int(parts[2])
        else { return nil }
        at = NumericDate(secondsSince1970: seconds)
        self.chain = chain
        self.sequence = sequence
    }
}
