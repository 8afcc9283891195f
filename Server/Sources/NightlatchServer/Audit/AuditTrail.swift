import NightlatchWire

/// The chain that one open store writes: what comes next in it.
struct AuditTrail: Sendable {
    let chain: AuditChainID

    init() { chain = .random() }

    /// The row that writes `event` after `last`, the chain's last row so far.
    func row(for event: AuditEvent, at time: NumericDate, after last: AuditHead?) -> AuditRow {
        AuditRow(
            AuditEntry(chain: chain, sequence: (last?.sequence ?? 0) + 1, at: time, event: event), after: last?.hash)
    }
}
