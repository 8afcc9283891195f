public import NightlatchRelyingParty
public import NightlatchWire

extension MemoryRelyingPartyStore {
    public func audit(_ event: AuditEvent) async throws(RelyingPartyStoreError) { append(event) }

    public func auditHeads() async throws(RelyingPartyStoreError) -> [AuditHead] { auditHead.map { [$0] } ?? [] }

    public func auditRows(after place: AuditPlace?, limit: Int) async throws(RelyingPartyStoreError) -> [AuditRow] {
        Array(auditLog.lazy.filter { row in place.map { row.place > $0 } ?? true }.prefix(limit))
    }

    public func auditEntries(
        of user: UserID?,
        before position: AuditPosition?,
        limit: Int
    ) async throws(RelyingPartyStoreError) -> [AuditEntry] {
        let entries = auditLog.filter { user == nil || $0.user == user?.rawValue }.compactMap(AuditEntry.init)
            .filter { entry in position.map { AuditPosition(of: entry) < $0 } ?? true }
        return Array(entries.sorted { AuditPosition(of: $0) > AuditPosition(of: $1) }.prefix(limit))
    }

    func append(_ event: AuditEvent) {
        let (row, head) = trail.next(event, at: clock.now(), after: auditHead)
        auditLog.append(row)
        auditHead = head
    }
}
