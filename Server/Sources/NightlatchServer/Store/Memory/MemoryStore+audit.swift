public import NightlatchWire

extension MemoryStore {
    public func audit(_ event: AuditEvent) async throws(StoreError) { append(event) }

    public func auditHeads() async throws(StoreError) -> [AuditHead] { auditLog.last.map { [$0.head] } ?? [] }

    public func auditRows(
        of chain: AuditChainID,
        after sequence: Int,
        limit: Int
    ) async throws(StoreError) -> [AuditRow] {
        Array(auditLog.lazy.filter { $0.chain == chain && $0.sequence > sequence }.prefix(limit))
    }

    public func auditEntries(
        of user: UserID?,
        before position: AuditPosition?,
        limit: Int
    ) async throws(StoreError) -> [AuditEntry] {
        let entries = auditLog.compactMap { AuditEntry(bytes: $0.body) }.filter { entry in
            (user == nil || entry.event.user == user) && position.map { AuditPosition(of: entry) < $0 } ?? true
        }
        return Array(entries.sorted { AuditPosition(of: $0) > AuditPosition(of: $1) }.prefix(limit))
    }

    func append(_ event: AuditEvent) {
        auditLog.append(trail.row(for: event, at: clock.now(), after: auditLog.last?.head))
    }
}
