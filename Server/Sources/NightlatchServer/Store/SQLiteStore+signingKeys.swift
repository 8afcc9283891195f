import Foundation
import GRDB
import NightlatchWire

extension SQLiteStore {
    public func addSigningKeyIfNone(_ key: SealedSigningKey) async throws(StoreError) -> [SealedSigningKey] {
        let now = clock.now()
        return try await write { database in
            let keys = try Self.signingKeys(in: database)
            guard keys.isEmpty else { return keys }
            try database.execute(
                sql: "INSERT INTO signing_key (id, box, created_at) VALUES (?, ?, ?)",
                arguments: [key.id.rawValue, Data(key.box), key.createdAt.secondsSince1970])
            try append(AuditEvent(.signingKeyAdded, by: .server), at: now, in: database)
            return [key]
        }
    }

    public func forgetSigningKeys() async throws(StoreError) -> Int {
        let now = clock.now()
        return try await write { database in
            try database.execute(sql: "DELETE FROM signing_key")
            let count = database.changesCount
            if count > 0 {
                try append(AuditEvent(.signingKeysForgotten, by: .operator, count: count), at: now, in: database)
            }
            return count
        }
    }

    private static func signingKeys(in database: Database) throws -> [SealedSigningKey] {
        try Row.fetchAll(database, sql: "SELECT * FROM signing_key ORDER BY created_at, id").map { row in
            SealedSigningKey(
                id: try row.identifier("id"), box: Array(row["box"] as Data),
                createdAt: NumericDate(secondsSince1970: row["created_at"]))
        }
    }
}
