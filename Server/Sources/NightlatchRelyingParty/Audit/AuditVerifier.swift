public import NightlatchWire

/// Looks through one chain of the audit log, row by row in their order, and holds it against heads that were exported.
///
/// Without heads it finds what was changed, moved or taken out of the middle by somebody who did not compute the hashes anew. Only a
/// head that was kept elsewhere shows a chain that was cut, put back, or rewritten with all its hashes.
public struct AuditVerifier: Sendable {
    private let chain: AuditChainID
    private var heads: [Int: AuditHash] = [:]
    private var lastSequence = 0
    /// Nil if what stands there is no hash.
    private var lastHash: AuditHash? = .start
    private var findings: [AuditFinding] = []

    /// - Parameters:
    ///   - chain: The chain whose rows will come, and no others.
    ///   - heads: All that were exported; those of other chains do not count.
    public init(chain: AuditChainID, heads: [AuditHead]) {
        self.chain = chain
        for head in heads where head.chain == chain {
            if let other = self.heads.updateValue(head.hash, forKey: head.sequence), other != head.hash {
                findings.append(.contradictoryHeads(chain, sequence: head.sequence))
            }
        }
    }

    /// Takes the next row of the chain. They come in the order of their sequences.
    public mutating func check(_ row: AuditRow) {
        let sequence = row.place.sequence
        // A chain begins with 1, and the hash of its first entry takes in nothing that lies before.
        guard sequence > lastSequence else { return findings.append(.misplaced(chain, sequence: sequence)) }
        // After a gap there is nothing to hold the first row against; the next one is held against it.
        let previous = sequence == lastSequence + 1 ? lastHash : nil
        if sequence > lastSequence + 1 {
            findings.append(.removed(chain, sequences: lastSequence + 1...sequence - 1))
        }
        let hash = AuditHash(rawValue: row.hash)
        let entry = AuditEntry(bytes: row.body)
        if entry?.chain != chain || entry?.sequence != sequence {
            findings.append(.misplaced(chain, sequence: sequence))
        } else if hash == nil || previous.map({ AuditHash(of: row.body, after: $0) != hash }) ?? false {
            findings.append(.changed(chain, sequence: sequence))
        } else if entry?.at != row.at || !Self.isSame(entry?.event.user?.rawValue, row.user) {
            findings.append(.misfiled(chain, sequence: sequence))
        }
        if let exported = heads[sequence], exported != hash {
            findings.append(.rewritten(chain, upTo: sequence))
        }
        lastSequence = sequence
        lastHash = hash
    }

    /// Whether the bytes are the same: texts are equal to Swift that are written in other code points.
    private static func isSame(_ one: String?, _ other: String?) -> Bool {
        one.map { Array($0.utf8) } == other.map { Array($0.utf8) }
    }

    /// What was found, in the order of the chain, once all rows have come.
    public func finish() -> [AuditFinding] {
        guard let furthest = heads.keys.max(), furthest > lastSequence else { return findings }
        return findings + [.cutOff(chain, lastSequence: lastSequence, exportedSequence: furthest)]
    }
}
