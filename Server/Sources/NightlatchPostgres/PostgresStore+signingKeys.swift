public import NightlatchServer
import NightlatchWire

extension PostgresStore {
    public func addSigningKeyIfNone(_ key: SealedSigningKey) async throws(StoreError) -> [SealedSigningKey] {
        try await write { transaction in
            // There may be no row to lock. Readers go on.
            try transaction.send("LOCK TABLE signing_key IN SHARE ROW EXCLUSIVE MODE")
            let keys = try transaction.rows("SELECT id, box, created_at FROM signing_key ORDER BY created_at, id")
                .map { row throws(StoreError) in
                    SealedSigningKey(
                        id: try row.identifier("id"), box: try row.bytes("box"), createdAt: try row.date("created_at"))
                }
            guard keys.isEmpty else { return keys }
            try transaction.send(
                "INSERT INTO signing_key (id, box, created_at) VALUES ($1, $2, $3)",
                .text(key.id.rawValue), .bytes(key.box), .integer(key.createdAt.secondsSince1970))
            try transaction.append(AuditEvent(.signingKeyAdded, by: .server))
            return [key]
        }
    }

    public func forgetSigningKeys() async throws(StoreError) -> Int {
        try await write { transaction in
            let count = try transaction.rows("DELETE FROM signing_key").affectedCount
            if count > 0 { try transaction.append(AuditEvent(.signingKeysForgotten, by: .operator, count: count)) }
            return count
        }
    }
}
