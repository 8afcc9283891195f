package import NightlatchWire

/// Builds the next rows of the chain that one open store, or one of its connections, writes.
package struct AuditTrail: Sendable {
    package let chain: AuditChainID

    package init() { chain = .random() }

    /// Returns the row for `event`, and the chain's new head. `last` is the head before; nil for a new chain.
    package func next(
        _ event: AuditEvent,
        at time: NumericDate,
        after last: AuditHead?
    ) -> (row: AuditRow, head: AuditHead) {
        let entry = AuditEntry(chain: chain, sequence: (last?.sequence ?? 0) + 1, at: time, event: event)
        let (contents, personal) = AuditBody.new(entry)
        let body = contents.bytes
        let head = AuditHead(
            chain: chain, sequence: entry.sequence, hash: AuditHash(of: body, after: last?.hash ?? .start))
        let row = AuditRow(
            place: AuditPlace(chain: chain.rawValue, sequence: entry.sequence), body: body,
            personal: personal?.bytes, hash: head.hash.rawValue, at: time, user: event.filedUnder?.rawValue)
        return (row, head)
    }
}
