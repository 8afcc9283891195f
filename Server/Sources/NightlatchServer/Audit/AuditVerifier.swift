public import NightlatchWire

/// Looks through one chain of the audit log, row by row in their order, and holds it against heads that were exported.
///
/// Without heads it finds what was changed, moved or taken out of the middle by somebody who did not compute the hashes anew. Only a
/// head that was kept elsewhere shows a chain that was cut, put back, or rewritten with all its hashes.
public struct AuditVerifier: Sendable {
    private let chain: AuditChainID
    private var heads: [Int: AuditHash] = [:]
    private var lastSequence = 0
    private var lastHash = AuditHash.start
    private var findings: [AuditFinding] = []

    /// - Parameters:
    ///   - chain: The chain whose rows will come.
    ///   - heads: All that were exported; those of other chains do not count.
    public init(chain: AuditChainID, heads: [AuditHead]) {
        self.chain = chain
        for head in heads where head.chain == chain {
            if let other = self.heads.updateValue(head.hash, forKey: head.sequence), other != head.hash {
                findings.append(.contradictoryHeads(chain, sequence: head.sequence))
            }
        }
    }

    /// Takes the next row. They come in the order of their sequences.
    public mutating func check(_ row: AuditRow) {
        let isNext = row.sequence == lastSequence + 1
        if row.sequence > lastSequence + 1 {
            findings.append(.removed(chain, sequences: lastSequence + 1...row.sequence - 1))
        }
        let entry = AuditEntry(bytes: row.body)
        if row.chain != chain || row.sequence <= lastSequence || entry?.chain != chain
            || entry?.sequence != row.sequence
        {
            findings.append(.misplaced(chain, sequence: row.sequence))
        } else if isNext, AuditHash(of: row.body, after: lastHash) != row.hash {
            // After a gap there is nothing to hold the first row against; the next one is held against it.
            findings.append(.changed(chain, sequence: row.sequence))
        } else if entry?.at != row.at || entry?.event.user?.rawValue != row.user {
            findings.append(.misfiled(chain, sequence: row.sequence))
        }
        if let hash = heads[row.sequence], hash != row.hash {
            findings.append(.rewritten(chain, upTo: row.sequence))
        }
        lastSequence = max(lastSequence, row.sequence)
        lastHash = row.hash
    }

    /// What was found, in the order of the chain, once all rows have come.
    public func finish() -> [AuditFinding] {
        guard let furthest = heads.keys.max(), furthest > lastSequence else { return findings }
        return findings + [.cutOff(chain, lastSequence: lastSequence, exportedSequence: furthest)]
    }
}
