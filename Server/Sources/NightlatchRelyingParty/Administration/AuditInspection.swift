import NightlatchWire

/// What a look through a whole audit log has found.
public struct AuditInspection: Hashable, Sendable {
    /// How many rows there are.
    public private(set) var entryCount = 0
    /// How many chains there are, those included of which only an exported head tells.
    public let chainCount: Int
    /// What is wrong, chain by chain; empty if nothing is.
    public let findings: [AuditFinding]

    private static let pageLength = 500

    /// Looks through all rows of `store`, a page at a time, those too that no store has written. A log without rows is a finding, unless the
    /// store holds nothing that is made with an entry. Writes nothing.
    ///
    /// - Parameters:
    ///   - store: May be in use meanwhile.
    ///   - heads: What was exported before; see ``AuditVerifier``.
    /// - Throws: ``StoreError``; then it is not known whether the log is whole. Look again.
    public init(of store: any RelyingPartyStore, heads: [AuditHead]) async throws(StoreError) {
        let exported = Dictionary(grouping: heads, by: \.chain)
        var chains: [AuditChainID: AuditVerifier] = [:]
        for (chain, heads) in exported { chains[chain] = AuditVerifier(chain: chain, heads: heads) }
        var (foreign, last): ([AuditFinding], AuditPlace?) = ([], nil)
        // Ends: `last` goes up with each round, to the last entry.
        while true {
            let rows = try await store.auditRows(after: last, limit: Self.pageLength)
            // A name that is no text comes back as another one, which may lie before it: it was found, and nothing comes after it.
            guard let place = rows.last?.place, last.map({ place > $0 }) ?? true else { break }
            for row in rows {
                if let chain = AuditChainID(rawValue: row.place.chain) {
                    chains[chain, default: AuditVerifier(chain: chain, heads: [])].check(row)
                } else {
                    foreign.append(.foreign(row.place))
                }
            }
            entryCount += rows.count
            last = place
        }
        chainCount = chains.count
        var findings = chains.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { $0.value.finish() } + foreign
        if entryCount == 0, try await Self.isInUse(store) { findings.append(.emptied) }
        self.findings = findings
    }

    /// Whether `store` holds anything that is made with an entry in the audit log, and stays.
    private static func isInUse(_ store: any RelyingPartyStore) async throws(StoreError) -> Bool {
        if try await !store.signingKeys().isEmpty { return true }
        return try await !store.users(startingWith: nil, after: nil, limit: 1).isEmpty
    }
}
