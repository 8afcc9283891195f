import Foundation
import GRDB
public import NightlatchRelyingParty
public import NightlatchWire

extension SQLiteStore {
    public func signingKeys() async throws(RelyingPartyStoreError) -> [SealedSigningKey] {
        try readOnce { database in try Self.signingKeys(in: database) }
    }

    public func addSigningKey(
        _ key: SealedSigningKey,
        after newest: KeyID?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> [SealedSigningKey] {
        return try await write { database, now in
            let keys = try Self.signingKeys(in: database)
            guard keys.last?.id == newest else { return keys }
            try Self.masterKeyState(in: database).require(key.masterKey)
            try database.execute(
                sql: """
                    INSERT INTO signing_key (id, box, created_at, active_from, sealed_under) VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [
                    key.id.rawValue, Data(key.box), key.createdAt.secondsSince1970, key.activeFrom.secondsSince1970,
                    key.masterKey?.rawValue,
                ])
            try append(AuditEvent(.signingKeyAdded, by: actor), at: now, in: database)
            return keys + [key]
        }
    }

    public func removeSigningKeys(supersededBefore time: NumericDate) async throws(RelyingPartyStoreError) {
        try await write { database in
            try database.execute(
                sql: """
                    DELETE FROM signing_key
                    WHERE active_from < (SELECT max(active_from) FROM signing_key WHERE active_from <= ?)
                    """,
                arguments: [time.secondsSince1970])
        }
    }

    public func limitSigningKeys(startBy time: NumericDate) async throws(RelyingPartyStoreError) {
        try await write { database, _ in
            for key in SealedSigningKey.limited(try Self.signingKeys(in: database), startBy: time) {
                try database.execute(
                    sql: "UPDATE signing_key SET active_from = ? WHERE id = ?",
                    arguments: [key.activeFrom.secondsSince1970, key.id.rawValue])
            }
        }
    }

    public func forgetSigningKeys() async throws(RelyingPartyStoreError) -> Int {
        return try await write { database, now in
            try database.execute(sql: "DELETE FROM signing_key")
            let count = database.changesCount
            if count > 0 {
                try append(AuditEvent(.signingKeysForgotten, by: .operator, count: count), at: now, in: database)
            }
            return count
        }
    }

    private static func signingKeys(in database: Database) throws -> [SealedSigningKey] {
        try KeptStatement(
            "SELECT id, box, created_at, active_from, sealed_under FROM signing_key ORDER BY active_from, id",
            in: database
        ).all { row in
            SealedSigningKey(
                id: try row.identifier(0), box: try row.blob(1), masterKey: try row.optionalIdentifier(4),
                createdAt: try row.date(2), activeFrom: try row.date(3))
        }
    }
}
