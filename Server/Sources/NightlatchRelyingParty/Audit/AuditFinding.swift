/// A defect of an audit log, and its position.
public enum AuditFinding: Error, Hashable, Sendable {
    /// This entry or the previous one was changed: the stored hash is not the hash of this entry's content and the
    /// previous hash.
    case changed(AuditChainID, sequence: Int)
    /// The row at this position holds no entry, or an entry of another position or chain.
    case misplaced(AuditChainID, sequence: Int)
    /// The entry is unchanged, but its row is indexed under a time or user that the entry does not have.
    case misfiled(AuditChainID, sequence: Int)
    /// The row's chain name is not a valid chain id, so no store wrote the row.
    case foreign(AuditPlace)
    /// The log is empty, although the store holds signing keys or users, which are only created together with an entry.
    case emptied
    /// Entries are missing, although later entries exist.
    case removed(AuditChainID, sequences: ClosedRange<Int>)
    /// The chain is shorter than an exported head states: it was truncated, or an older state was restored.
    case cutOff(AuditChainID, lastSequence: Int, exportedSequence: Int)
    /// The chain is consistent, but does not match the exported head: an entry up to this one was rewritten.
    case rewritten(AuditChainID, upTo: Int)
    /// Entries under this pseudonym lack their user and claims, and deletions of users explain only some of them.
    ///
    /// The pseudonym is empty for entries that are filed under no user.
    case erased(pseudonym: String, count: Int, explained: Int)
    /// Two exported heads contradict each other: the chain had different contents at two times.
    case contradictoryHeads(AuditChainID, sequence: Int)
}

extension AuditFinding: CustomStringConvertible {
    public var description: String {
        switch self {
        case .changed(let chain, let sequence):
            "chain \(chain), entry \(sequence): this entry or the previous one was changed"
        case .misplaced(let chain, let sequence): "chain \(chain), entry \(sequence): does not belong at this position"
        case .foreign(let place):
            // An attacker may have written any bytes here, including escape sequences for a terminal.
            "chain \(place.chain.debugDescription), entry \(place.sequence): belongs to no chain that a store wrote"
        case .misfiled(let chain, let sequence):
            "chain \(chain), entry \(sequence): indexed under the wrong time or user"
        case .emptied: "the log is empty, but the database holds signing keys or users"
        case .removed(let chain, let sequences) where sequences.count == 1:
            "chain \(chain), entry \(sequences.lowerBound): removed"
        case .removed(let chain, let sequences):
            "chain \(chain), entries \(sequences.lowerBound) to \(sequences.upperBound): removed"
        case .cutOff(let chain, 0, let exported):
            "chain \(chain): missing; an exported head has \(exported) entries"
        case .cutOff(let chain, let last, let exported):
            "chain \(chain): ends at entry \(last); an exported head has \(exported)"
        case .rewritten(let chain, let sequence):
            "chain \(chain): does not match the exported head of entry \(sequence): an entry up to \(sequence) was "
                + "rewritten"
        case .erased(let pseudonym, let count, let explained):
            // An attacker may have written any pseudonym.
            "pseudonym \(pseudonym.debugDescription): \(count) entries lack their user; deletions of users explain "
                + "\(explained)"
        case .contradictoryHeads(let chain, let sequence):
            "chain \(chain), entry \(sequence): two exported heads contradict each other"
        }
    }
}
