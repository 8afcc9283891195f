public import NightlatchRelyingParty
public import NightlatchWire

extension MemoryStore {
    public func audit(_ event: AuditEvent) async throws(StoreError) { append(event) }

    public func auditHeads() async throws(StoreError) -> [AuditHead] { auditHead.map { [$0] } ?? [] }

    public func auditRows(after place: AuditPlace?, limit: Int) async throws(StoreError) -> [AuditRow] {
        Array(auditLog.lazy.filter { row in place.map { row.place > $0 } ?? true }.prefix(limit))
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
        let (row, head) = trail.next(event, at: clock.now(), after: auditHead)
        auditLog.append(row)
        auditHead = head
    }
}
