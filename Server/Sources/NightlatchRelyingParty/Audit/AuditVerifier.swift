public import NightlatchWire

/// Verifies one chain of the audit log, row by row, against the heads that were exported.
///
/// Without exported heads it detects rows that were changed, moved or removed from the middle, unless the attacker
/// recomputed all later hashes. Only a head that was kept elsewhere reveals a chain that was truncated, rolled back, or
/// rewritten with all its hashes.
public struct AuditVerifier: Sendable {
    private let chain: AuditChainID
    private var heads: [Int: AuditHash] = [:]
    private(set) var lastSequence = 0
    /// Nil if the last row has no valid hash.
    private var lastHash: AuditHash? = .start
    private var findings: [AuditFinding] = []
    /// The numbers of entries whose personal part was erased, and that deletions of users state.
    private(set) var erasures = AuditErasures()

    /// - Parameters:
    ///   - chain: The chain to verify. Pass no rows of other chains.
    ///   - heads: All exported heads; those of other chains are ignored.
    public init(chain: AuditChainID, heads: [AuditHead]) {
        self.chain = chain
        for head in heads where head.chain == chain {
            if let other = self.heads.updateValue(head.hash, forKey: head.sequence), other != head.hash {
                findings.append(.contradictoryHeads(chain, sequence: head.sequence))
            }
        }
    }

    /// Verifies the end of a chain: the rows after `sequence`.
    ///
    /// The first of them gives only the hash that the next one follows, unless it is the first of the chain.
    package init(chain: AuditChainID, after sequence: Int) {
        self.chain = chain
        lastSequence = sequence
        lastHash = sequence == 0 ? .start : nil
    }

    /// Checks the next row of the chain. Pass rows in the order of their sequences.
    public mutating func check(_ row: AuditRow) {
        let sequence = row.place.sequence
        // A chain begins with sequence 1, and the hash of its first entry covers no earlier row.
        guard sequence > lastSequence else { return findings.append(.misplaced(chain, sequence: sequence)) }
        // The first row after a gap cannot be checked, because its predecessor is missing. The next row is checked
        // against this first row.
        let previous = sequence == lastSequence + 1 ? lastHash : nil
        if sequence > lastSequence + 1 {
            findings.append(.removed(chain, sequences: lastSequence + 1...sequence - 1))
        }
        let hash = AuditHash(rawValue: row.hash)
        let body = AuditBody(bytes: row.body)
        let entry = body?.entry(in: row)
        if body?.chain != chain || body?.sequence != sequence {
            findings.append(.misplaced(chain, sequence: sequence))
        } else if hash == nil || previous.map({ AuditHash(of: row.body, after: $0) != hash }) ?? false {
            findings.append(.changed(chain, sequence: sequence))
        } else if let entry {
            if entry.at != row.at || !Self.isSame(entry.event.filedUnder?.rawValue, row.user) {
                findings.append(.misfiled(chain, sequence: sequence))
            }
            erasures.add(entry.event, isErased: body?.isErased(in: row) ?? false)
        } else {
            findings.append(.changed(chain, sequence: sequence))
        }
        if let exported = heads[sequence], exported != hash {
            findings.append(.rewritten(chain, upTo: sequence))
        }
        lastSequence = sequence
        lastHash = hash
    }

    /// Whether the bytes are equal. Swift's `==` also accepts canonically equivalent texts with different bytes.
    private static func isSame(_ one: String?, _ other: String?) -> Bool {
        one.map { Array($0.utf8) } == other.map { Array($0.utf8) }
    }

    /// Returns the findings in the order of the chain. Call it after the last row.
    public func finish() -> [AuditFinding] {
        guard let furthest = heads.keys.max(), furthest > lastSequence else { return findings }
        return findings + [.cutOff(chain, lastSequence: lastSequence, exportedSequence: furthest)]
    }
}
