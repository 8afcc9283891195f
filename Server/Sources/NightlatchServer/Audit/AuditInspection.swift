import NightlatchWire

/// What a look through a whole audit log has found.
public struct AuditInspection: Hashable, Sendable {
    /// How many rows there are.
    public private(set) var entryCount = 0
    /// How many chains there are, those included of which only an exported head tells.
    public let chainCount: Int
    /// What is wrong, chain by chain; empty if nothing is.
    public private(set) var findings: [AuditFinding] = []

    private static let pageLength = 500

    /// Looks through every chain of `store`, a page at a time. Writes nothing.
    ///
    /// - Parameters:
    ///   - store: May be in use meanwhile: entries that come to the end of a chain are looked at too.
    ///   - heads: What was exported before; see ``AuditVerifier``.
    /// - Throws: ``StoreError``; then it is not known whether the log is whole. Look again.
    public init(of store: any RelyingPartyStore, heads: [AuditHead]) async throws(StoreError) {
        let chains = Set(try await store.auditHeads().map(\.chain)).union(heads.map(\.chain))
        chainCount = chains.count
        for chain in chains.sorted(by: { $0.rawValue < $1.rawValue }) {
            var verifier = AuditVerifier(chain: chain, heads: heads)
            var last = 0
            while true {
                let rows = try await store.auditRows(of: chain, after: last, limit: Self.pageLength)
                guard let next = rows.last?.sequence else { break }
                for row in rows { verifier.check(row) }
                entryCount += rows.count
                last = next
            }
            findings += verifier.finish()
        }
    }
}
