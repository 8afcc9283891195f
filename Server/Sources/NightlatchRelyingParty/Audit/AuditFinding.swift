/// What is wrong with an audit log, and where.
public enum AuditFinding: Error, Hashable, Sendable {
    /// The entry, or the one before it, is not what was written: its hash does not follow from the two.
    case changed(AuditChainID, sequence: Int)
    /// What lies at this place is no entry, or one of another place or chain.
    case misplaced(AuditChainID, sequence: Int)
    /// The entry is what was written, but lists of entries find it under another time or user than its own, or under none.
    case misfiled(AuditChainID, sequence: Int)
    /// What lies here is of no chain that a store could have written.
    case foreign(AuditPlace)
    /// There is no entry at all, though the store holds keys or users, which are not made without one.
    case emptied
    /// Entries are not there, though later ones are.
    case removed(AuditChainID, sequences: ClosedRange<Int>)
    /// An exported head says that the chain came further than it does: it was cut off, or an older state was put back.
    case cutOff(AuditChainID, lastSequence: Int, exportedSequence: Int)
    /// The chain holds together, but is not the one of which the head was exported: something up to here was rewritten.
    case rewritten(AuditChainID, upTo: Int)
    /// Two exported heads contradict each other: the chain was different at two times.
    case contradictoryHeads(AuditChainID, sequence: Int)
}

extension AuditFinding: CustomStringConvertible {
    public var description: String {
        switch self {
        case .changed(let chain, let sequence): "chain \(chain), entry \(sequence): changed, or the one before it"
        case .misplaced(let chain, let sequence): "chain \(chain), entry \(sequence): not an entry of this place"
        case .foreign(let place):
            // Whoever put it there may have put there anything, for a terminal too.
            "chain \(place.chain.debugDescription), entry \(place.sequence): of no chain that was ever written"
        case .misfiled(let chain, let sequence):
            "chain \(chain), entry \(sequence): listed under another time or user than its own"
        case .emptied: "the log: emptied; the database holds signing keys or users, which are not made without an entry"
        case .removed(let chain, let sequences) where sequences.count == 1:
            "chain \(chain), entry \(sequences.lowerBound): removed"
        case .removed(let chain, let sequences):
            "chain \(chain), entries \(sequences.lowerBound) to \(sequences.upperBound): removed"
        case .cutOff(let chain, 0, let exported):
            "chain \(chain): gone; an exported head has \(exported) entries"
        case .cutOff(let chain, let last, let exported):
            "chain \(chain): ends at entry \(last); an exported head has \(exported)"
        case .rewritten(let chain, let sequence):
            "chain \(chain): rewritten somewhere up to entry \(sequence), of which a head was exported"
        case .contradictoryHeads(let chain, let sequence):
            "chain \(chain), entry \(sequence): two exported heads contradict each other"
        }
    }
}
