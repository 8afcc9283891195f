package import NightlatchWire

/// The chain that one open store, or one of its connections, writes: what comes next in it.
package struct AuditTrail: Sendable {
    package let chain: AuditChainID

    package init() { chain = .random() }

    /// The row that writes `event` after `last`, the chain's last row so far.
    package func row(for event: AuditEvent, at time: NumericDate, after last: AuditHead?) -> AuditRow {
        AuditRow(
            AuditEntry(chain: chain, sequence: (last?.sequence ?? 0) + 1, at: time, event: event), after: last?.hash)
    }
}
