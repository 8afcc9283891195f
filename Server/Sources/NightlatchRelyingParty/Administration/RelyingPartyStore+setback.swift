import NightlatchWire

extension RelyingPartyStore {
    /// Returns the exported heads that the audit log does not reach. A store that lacks one was set back to an older
    /// state.
    ///
    /// It reads only the ends of the chains; ``AuditInspection`` reads all entries. It writes nothing.
    ///
    /// - Parameter heads: The heads that count, read from their file before this call.
    package func missing(_ heads: [AuditHead]) async throws(RelyingPartyStoreError) -> [MissingAuditHead] {
        guard !heads.isEmpty else { return [] }
        let ends = Dictionary(uniqueKeysWithValues: try await auditHeads().map { ($0.chain, $0) })
        return Set(heads).map { MissingAuditHead(head: $0, end: ends[$0.chain]) }.filter(\.isMissing)
            .sorted { ($0.head.chain.rawValue, $0.head.sequence) < ($1.head.chain.rawValue, $1.head.sequence) }
    }
}

/// An exported head, and the end of its chain in a store.
package struct MissingAuditHead: Hashable, Sendable {
    package let head: AuditHead
    /// Nil if the store does not have the chain.
    let end: AuditHead?

    fileprivate var isMissing: Bool {
        guard let end, end.sequence >= head.sequence else { return true }
        return end.sequence == head.sequence && end.hash != head.hash
    }

    package var finding: AuditFinding {
        let last = end?.sequence ?? 0
        return last < head.sequence
            ? .cutOff(head.chain, lastSequence: last, exportedSequence: head.sequence)
            : .rewritten(head.chain, upTo: last)
    }
}
