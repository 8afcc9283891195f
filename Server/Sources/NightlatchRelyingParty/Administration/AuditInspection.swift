import NightlatchWire

/// The result of verifying a whole audit log.
public struct AuditInspection: Hashable, Sendable {
    /// The number of rows in the log.
    public private(set) var entryCount = 0
    /// The number of chains, including chains that are known only from an exported head.
    public let chainCount: Int
    /// The number of entries that were erased with their users.
    public let erasedEntryCount: Int
    /// The findings, chain by chain; empty if the log is intact.
    public let findings: [AuditFinding]

    private static let pageLength = 500

    /// Verifies all rows of `store` page by page. Rows may have any content: an attacker may have written them.
    ///
    /// An empty log is a finding if the store holds signing keys or users, because a store writes an entry whenever it
    /// creates one of these. This initialiser writes nothing.
    ///
    /// - Parameters:
    ///   - store: The store, which other processes may use at the same time.
    ///   - heads: The heads that were exported before; see ``AuditVerifier``.
    /// - Throws: ``RelyingPartyStoreError``. The state of the log is then unknown; try again.
    public init(of store: any RelyingPartyStore, heads: [AuditHead]) async throws(RelyingPartyStoreError) {
        let exported = Dictionary(grouping: heads, by: \.chain)
        var chains: [AuditChainID: AuditVerifier] = [:]
        for (chain, heads) in exported { chains[chain] = AuditVerifier(chain: chain, heads: heads) }
        var (foreign, last): ([AuditFinding], AuditPlace?) = ([], nil)
        // Ends: `last` increases in each round, up to the last entry.
        while true {
            let rows = try await store.auditRows(after: last, limit: Self.pageLength)
            // A chain name that is not valid UTF-8 is decoded to a different name. The query can then return the same
            // row again, at a place that is not after `last`. That row was reported in an earlier round, and no row
            // follows it.
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
        if !Self.erasures(in: chains).findings.isEmpty {
            // A user may have been deleted after the end of the chain was read that states the deletion.
            entryCount += try await Self.readEnds(of: &chains, in: store)
        }
        let erasures = Self.erasures(in: chains)
        erasedEntryCount = erasures.count
        chainCount = chains.count
        var findings =
            chains.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { $0.value.finish() } + foreign
            + erasures.findings
        if entryCount == 0, try await Self.isInUse(store) { findings.append(.emptied) }
        self.findings = findings
    }

    private static func erasures(in chains: [AuditChainID: AuditVerifier]) -> AuditErasures {
        chains.values.reduce(into: AuditErasures()) { $0.merge($1.erasures) }
    }

    /// Verifies the rows that were appended since the chains were read.
    ///
    /// - Returns: The number of these rows.
    private static func readEnds(
        of chains: inout [AuditChainID: AuditVerifier], in store: any RelyingPartyStore
    ) async throws(RelyingPartyStoreError) -> Int {
        var count = 0
        for head in try await store.auditHeads() {
            var verifier = chains[head.chain] ?? AuditVerifier(chain: head.chain, heads: [])
            // Ends: the last sequence increases in each round, up to that of the head.
            while verifier.lastSequence < head.sequence {
                let place = AuditPlace(chain: head.chain.rawValue, sequence: verifier.lastSequence)
                let rows = try await store.auditRows(after: place, limit: pageLength)
                    .prefix { $0.place.chain == head.chain.rawValue }
                if rows.isEmpty { break }
                for row in rows { verifier.check(row) }
                count += rows.count
            }
            chains[head.chain] = verifier
        }
        return count
    }

    /// Whether `store` holds any signing key or user. A store writes an audit entry whenever it creates one of these.
    private static func isInUse(_ store: any RelyingPartyStore) async throws(RelyingPartyStoreError) -> Bool {
        if try await !store.signingKeys().isEmpty { return true }
        return try await !store.users(startingWith: nil, after: nil, limit: 1).isEmpty
    }
}
