package import NightlatchRelyingParty
import NightlatchWire

/// Reads an audit log for tests.
package enum AuditSteps {
    /// Verifies the audit log of a store and returns the findings.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - exported: Heads that were exported earlier; nil for the store's current heads.
    package static func findings(
        in store: any RelyingPartyStore,
        exported: [AuditHead]? = nil
    ) async throws -> [AuditFinding] {
        let now = try await store.auditHeads()
        return try await AuditInspection(of: store, heads: exported ?? now).findings
    }

    /// Returns all rows of a chain, read in small batches.
    package static func rows(of chain: AuditChainID, in store: any RelyingPartyStore) async throws -> [AuditRow] {
        var rows: [AuditRow] = []
        // Ends: with the empty page after the last row.
        while true {
            let page = try await store.auditRows(after: rows.last?.place, limit: 3)
            if page.isEmpty { return rows.filter { $0.place.chain == chain.rawValue } }
            rows += page
        }
    }
}
