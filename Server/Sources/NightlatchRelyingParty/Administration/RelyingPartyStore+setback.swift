import NightlatchWire

extension RelyingPartyStore {
    /// Returns the chains of the audit log that end before an exported head. A store with such a chain was set back to
    /// an older state.
    ///
    /// It reads only the ends of the chains, and ``AuditInspection`` reads all entries. It writes nothing.
    ///
    /// - Parameter heads: The heads that count, read from their file before this call.
    package func setbacks(from heads: [AuditHead]) async throws(RelyingPartyStoreError) -> [AuditFinding] {
        guard !heads.isEmpty else { return [] }
        let ends = Dictionary(uniqueKeysWithValues: try await auditHeads().map { ($0.chain, $0) })
        let furthest = Dictionary(heads.map { ($0.chain, $0) }) { $0.sequence < $1.sequence ? $1 : $0 }
        return furthest.values.sorted { $0.chain.rawValue < $1.chain.rawValue }.compactMap { head in
            let end = ends[head.chain]
            let sequence = end?.sequence ?? 0
            if sequence < head.sequence {
                return .cutOff(head.chain, lastSequence: sequence, exportedSequence: head.sequence)
            }
            return sequence == head.sequence && end?.hash != head.hash
                ? .rewritten(head.chain, upTo: head.sequence) : nil
        }
    }
}
