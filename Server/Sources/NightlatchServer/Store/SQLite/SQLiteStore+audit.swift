import Foundation
import GRDB
public import NightlatchWire

extension SQLiteStore {
    public func audit(_ event: AuditEvent) async throws(StoreError) {
        let now = clock.now()
        try await write { database in try append(event, at: now, in: database) }
    }

    public func auditHeads() async throws(StoreError) -> [AuditHead] {
        try read { database in
            // SQLite takes the other columns from the row that has the greatest sequence.
            try Row.fetchAll(
                database, sql: "SELECT chain, MAX(sequence) AS sequence, hash FROM audit_entry GROUP BY chain"
            ).map { row throws(StoreError) in try AuditHead(row) }
        }
    }

    public func auditRows(
        of chain: AuditChainID,
        after sequence: Int,
        limit: Int
    ) async throws(StoreError) -> [AuditRow] {
        try read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT chain, sequence, body, hash, at, user_id FROM audit_entry WHERE chain = ? AND sequence > ?
                    ORDER BY sequence LIMIT ?
                    """,
                arguments: [chain.rawValue, sequence, limit]
            ).map { row throws(StoreError) in
                let head = try AuditHead(row)
                let body: Data = row["body"]
                return AuditRow(
                    chain: head.chain, sequence: head.sequence, body: Array(body), hash: head.hash,
                    at: NumericDate(secondsSince1970: row["at"]), user: row["user_id"])
            }
        }
    }

    public func auditEntries(
        of user: UserID?,
        before position: AuditPosition?,
        limit: Int
    ) async throws(StoreError) -> [AuditEntry] {
        try read { database in
            var conditions: [String] = []
            var arguments: StatementArguments = []
            if let user {
                conditions.append("user_id = ?")
                arguments += [user.rawValue]
            }
            if let position {
                conditions.append("(at, chain, sequence) < (?, ?, ?)")
                arguments += [position.at.secondsSince1970, position.chain.rawValue, position.sequence]
            }
            let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
            arguments += [limit]
            return try Row.fetchAll(
                database,
                sql: """
                    SELECT body FROM audit_entry \(condition) ORDER BY at DESC, chain DESC, sequence DESC LIMIT ?
                    """,
                arguments: arguments
            ).map { row throws(StoreError) in
                let body: Data = row["body"]
                guard let entry = AuditEntry(bytes: Array(body)) else { throw StoreError(.corrupt) }
                return entry
            }
        }
    }

    /// Writes `event` down in the transaction of its effect, as of the time by which that was decided.
    func append(_ event: AuditEvent, at now: NumericDate, in database: Database) throws {
        let last = try auditHead.current {
            try KeptStatement(
                "SELECT sequence, hash FROM audit_entry WHERE chain = ? ORDER BY sequence DESC LIMIT 1", in: database
            ).first(.text(trail.chain.rawValue)) { row in
                AuditHead(chain: trail.chain, sequence: try row.integer(0), hash: try row.identifier(1))
            }
        }
        let row = trail.row(for: event, at: now, after: last)
        try KeptStatement(
            "INSERT INTO audit_entry (chain, sequence, at, user_id, body, hash) VALUES (?, ?, ?, ?, ?, ?)",
            in: database
        ).run(
            .text(row.chain.rawValue), .integer(row.sequence), .integer(now.secondsSince1970),
            event.user.map { .text($0.rawValue) } ?? .null, .blob(row.body), .text(row.hash.rawValue))
        auditHead.advance(to: row)
    }
}

extension AuditHead {
    fileprivate init(_ row: Row) throws(StoreError) {
        self.init(
            chain: try row.identifier("chain"), sequence: row["sequence"], hash: try row.identifier("hash"))
    }
}
