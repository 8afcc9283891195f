public import NightlatchRelyingParty
import NightlatchWire

extension MemoryRelyingPartyStore {
    public func audit(_ event: AuditEvent) async throws(RelyingPartyStoreError) { append(event) }

    public func auditHeads() async throws(RelyingPartyStoreError) -> [AuditHead] { auditHead.map { [$0] } ?? [] }

    public func auditRows(after place: AuditPlace?, limit: Int) async throws(RelyingPartyStoreError) -> [AuditRow] {
        Array(auditLog.lazy.filter { row in place.map { row.place > $0 } ?? true }.prefix(limit))
    }

    func append(_ event: AuditEvent) {
        let (row, head) = trail.next(event, at: clock.now(), after: auditHead)
        auditLog.append(row)
        auditHead = head
        hooks.add(event, at: row.place, time: row.at)
    }
}
