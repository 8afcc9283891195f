import GRDB
public import NightlatchRelyingParty
import NightlatchWire

extension SQLiteStore {
    public func audit(_ event: AuditEvent) async throws(RelyingPartyStoreError) {
        try await write { database, now in try append(event, at: now, in: database) }
    }

    public func auditHeads() async throws(RelyingPartyStoreError) -> [AuditHead] {
        try read { database in
            // A chain may be long, so the query does not scan it: it steps from chain to chain through the index.
            try KeptStatement(
                """
                WITH RECURSIVE known (chain) AS (
                    SELECT min(chain) FROM audit_entry
                    UNION ALL
                    SELECT (SELECT min(chain) FROM audit_entry WHERE chain > known.chain)
                    FROM known WHERE known.chain IS NOT NULL
                )
                SELECT last.chain, last.sequence, last.hash FROM known JOIN audit_entry AS last ON last.chain = known.chain
                AND last.sequence = (SELECT max(sequence) FROM audit_entry WHERE chain = known.chain)
                ORDER BY last.chain
                """, in: database
            ).all { row in
                AuditHead(chain: try row.identifier(0), sequence: try row.integer(1), hash: try row.identifier(2))
            }
        }
    }

    public func auditRows(after place: AuditPlace?, limit: Int) async throws(RelyingPartyStoreError) -> [AuditRow] {
        try read { database in
            let condition = place == nil ? "" : "WHERE (chain, sequence) > (?, ?)"
            let last: [KeptStatement.Value] = place.map { [.text($0.chain), .integer($0.sequence)] } ?? []
            return try KeptStatement(
                """
                SELECT \(AuditRow.columns) FROM audit_entry \(condition)
                ORDER BY chain, sequence LIMIT ?
                """, in: database
            ).all(values: last + [.integer(limit)], read: AuditRow.init)
        }
    }

    /// Appends `event` and its deliveries to webhooks in the transaction of its operation. `now` is the time that
    /// the transaction uses.
    func append(_ event: AuditEvent, at now: NumericDate, in database: Database) throws {
        let last = try auditHead.current {
            try KeptStatement(
                "SELECT sequence, hash FROM audit_entry WHERE chain = ? ORDER BY sequence DESC LIMIT 1", in: database
            ).first(.text(trail.chain.rawValue)) { row in
                AuditHead(chain: trail.chain, sequence: try row.integer(0), hash: try row.identifier(1))
            }
        }
        let (row, head) = trail.next(event, at: now, after: last)
        try KeptStatement(
            "INSERT INTO audit_entry (chain, sequence, at, user_id, body, hash, personal) VALUES (?, ?, ?, ?, ?, ?, ?)",
            in: database
        ).run(
            .text(row.place.chain), .integer(row.place.sequence), .integer(now.secondsSince1970),
            row.user.map { .text($0) } ?? .null, .blob(row.body), .text(row.hash),
            row.personal.map { .blob($0) } ?? .null)
        try addDeliveries(of: event, in: row, in: database)
        auditHead.advance(to: head)
    }
}

extension AuditRow {
    /// The columns for ``init(_:)``, in its order.
    static let columns = "chain, sequence, body, hash, at, user_id, personal"

    init(_ row: KeptRow) throws(RelyingPartyStoreError) {
        self.init(
            place: AuditPlace(chain: try row.text(0), sequence: try row.integer(1)), body: try row.blob(2),
            personal: row.optionalBlob(6), hash: try row.text(3), at: try row.date(4), user: row.optionalText(5))
    }
}
