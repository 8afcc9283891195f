import NightlatchServer

/// What tests read of an audit log.
enum AuditSteps {
    /// What is wrong with the chains that a store has.
    ///
    /// - Parameters:
    ///   - store: Whose chains.
    ///   - exported: Heads that were exported before; nil for those that it has now.
    static func findings(
        in store: any RelyingPartyStore,
        exported: [AuditHead]? = nil
    ) async throws -> [AuditFinding] {
        var findings: [AuditFinding] = []
        let heads = try await store.auditHeads()
        for head in heads {
            var verifier = AuditVerifier(chain: head.chain, heads: exported ?? heads)
            for row in try await rows(of: head.chain, in: store) { verifier.check(row) }
            findings += verifier.finish()
        }
        return findings
    }

    /// All rows of a chain, a few at a time.
    static func rows(of chain: AuditChainID, in store: any RelyingPartyStore) async throws -> [AuditRow] {
        var rows: [AuditRow] = []
        while true {
            let page = try await store.auditRows(of: chain, after: rows.last?.sequence ?? 0, limit: 3)
            if page.isEmpty { return rows }
            rows += page
        }
    }
}
