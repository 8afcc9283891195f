import Foundation
import GRDB
import NightlatchWire

extension SQLiteStore {
    public func addSigningKeyIfNone(_ key: SealedSigningKey) async throws(StoreError) -> [SealedSigningKey] {
        try await write { database in
            let keys = try Self.signingKeys(in: database)
            guard keys.isEmpty else { return keys }
            try database.execute(
                sql: "INSERT INTO signing_key (id, box, created_at) VALUES (?, ?, ?)",
                arguments: [key.id.rawValue, Data(key.box), key.createdAt.secondsSince1970])
            return [key]
        }
    }

    public func signingKeys() async throws(StoreError) -> [SealedSigningKey] {
        try await read { database in try Self.signingKeys(in: database) }
    }

    private static func signingKeys(in database: Database) throws -> [SealedSigningKey] {
        try Row.fetchAll(database, sql: "SELECT * FROM signing_key ORDER BY created_at, id").map { row in
            SealedSigningKey(
                id: try row.identifier("id"), box: Array(row["box"] as Data),
                createdAt: NumericDate(secondsSince1970: row["created_at"]))
        }
    }
}
