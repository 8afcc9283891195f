package import NightlatchWire

/// The chain that one open store, or one of its connections, writes: what comes next in it.
package struct AuditTrail: Sendable {
    package let chain: AuditChainID

    package init() { chain = .random() }

    /// The row that writes `event` after `last`, the chain's last row so far, and where the chain stands with it.
    package func next(
        _ event: AuditEvent,
        at time: NumericDate,
        after last: AuditHead?
    ) -> (row: AuditRow, head: AuditHead) {
        let entry = AuditEntry(chain: chain, sequence: (last?.sequence ?? 0) + 1, at: time, event: event)
        let body = entry.bytes
        let head = AuditHead(
            chain: chain, sequence: entry.sequence, hash: AuditHash(of: body, after: last?.hash ?? .start))
        let row = AuditRow(
            place: AuditPlace(chain: chain.rawValue, sequence: entry.sequence), body: body, hash: head.hash.rawValue,
            at: time, user: event.user?.rawValue)
        return (row, head)
    }
}
