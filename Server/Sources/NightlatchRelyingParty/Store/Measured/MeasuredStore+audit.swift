package import NightlatchWire

extension MeasuredStore {
    package func audit(_ event: AuditEvent) async throws(StoreError) {
        try await metrics.audit.measure { () async throws(StoreError) in try await base.audit(event) }
    }

    package func auditHeads() async throws(StoreError) -> [AuditHead] {
        try await metrics.auditHeads.measure { () async throws(StoreError) in try await base.auditHeads() }
    }

    package func auditRows(after place: AuditPlace?, limit: Int) async throws(StoreError) -> [AuditRow] {
        try await metrics.auditRows.measure { () async throws(StoreError) in
            try await base.auditRows(after: place, limit: limit)
        }
    }

    package func auditEntries(
        of user: UserID?, before position: AuditPosition?, limit: Int
    ) async throws(StoreError) -> [AuditEntry] {
        try await metrics.auditEntries.measure { () async throws(StoreError) in
            try await base.auditEntries(of: user, before: position, limit: limit)
        }
    }
}
