import NightlatchRelyingParty
import NightlatchWire

/// What tests read of an audit log.
enum AuditSteps {
    /// What is wrong with the audit log that a store has.
    ///
    /// - Parameters:
    ///   - store: Whose chains.
    ///   - exported: Heads that were exported before; nil for those that it has now.
    static func findings(
        in store: any RelyingPartyStore,
        exported: [AuditHead]? = nil
    ) async throws -> [AuditFinding] {
        let now = try await store.auditHeads()
        return try await AuditInspection(of: store, heads: exported ?? now).findings
    }

    /// All rows of a chain, a few at a time.
    static func rows(of chain: AuditChainID, in store: any RelyingPartyStore) async throws -> [AuditRow] {
        var rows: [AuditRow] = []
        while true {
            let page = try await store.auditRows(after: rows.last?.place, limit: 3)
            if page.isEmpty { return rows.filter { $0.place.chain == chain.rawValue } }
            rows += page
        }
    }
}
