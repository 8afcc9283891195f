public import NightlatchRelyingParty
import NightlatchWire

extension PostgresStore {
    public func audit(_ event: AuditEvent) async throws(RelyingPartyStoreError) {
        try await write { transaction in try transaction.append(event) }
    }

    public func auditHeads() async throws(RelyingPartyStoreError) -> [AuditHead] {
        try await read { transaction in
            // Jumps from chain to chain in the index, since a chain may be long.
            try transaction.rows(
                """
                WITH RECURSIVE known (chain) AS (
                    SELECT min(chain) FROM audit_entry
                    UNION ALL
                    SELECT (SELECT min(chain) FROM audit_entry WHERE chain > known.chain)
                    FROM known WHERE known.chain IS NOT NULL
                )
                SELECT last.chain, last.sequence, last.hash FROM known CROSS JOIN LATERAL (
                    SELECT chain, sequence, hash FROM audit_entry WHERE chain = known.chain
                    ORDER BY sequence DESC LIMIT 1
                ) AS last ORDER BY last.chain
                """
            ).map(AuditHead.init)
        }
    }

    public func auditRows(after place: AuditPlace?, limit: Int) async throws(RelyingPartyStoreError) -> [AuditRow] {
        try await read { transaction in
            var values: [PostgresValue] = [.integer(limit)]
            if let place { values += [.text(place.chain), .integer(place.sequence)] }
            let condition = place == nil ? "" : "WHERE (chain, sequence) > ($2, $3)"
            return try transaction.rows(
                """
                SELECT \(AuditRow.columns) FROM audit_entry \(condition)
                ORDER BY chain, sequence LIMIT $1
                """,
                values: values
            ).map(AuditRow.init)
        }
    }
}

extension AuditRow {
    /// The columns for ``init(_:)``.
    static let columns = "chain, sequence, body, hash, at, user_id, personal"

    init(_ row: PostgresRow) throws(RelyingPartyStoreError) {
        self.init(
            place: AuditPlace(chain: try row.text("chain"), sequence: try row.integer("sequence")),
            body: try row.bytes("body"), personal: try row.optionalBytes("personal"), hash: try row.text("hash"),
            at: try row.date("at"), user: try row.optionalText("user_id"))
    }
}

extension AuditHead {
    fileprivate init(_ row: PostgresRow) throws(RelyingPartyStoreError) {
        self.init(
            chain: try row.identifier("chain"), sequence: try row.integer("sequence"), hash: try row.identifier("hash"))
    }
}
