import Foundation
import GRDB
import NightlatchSQLite
import NightlatchWire

/// Creates a database as if many devices had been bound and had logged in. Only the private keys of ``devices`` are
/// known.
struct SeededDatabase {
    /// The number of all devices. Each belongs to a different user.
    let deviceCount: Int
    /// The devices that can log in.
    let devices: [LoadDevice]
    /// Whether the other devices have different names and states, and each has a login in the audit log.
    var areNamed = false

    /// Creates the file at `path`.
    func make(at path: String) throws {
        try SQLiteStore(path: path).close()
        try fill(at: path)
    }

    /// Fills the file at `path`. Its tables must exist and be empty.
    func fill(at path: String) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            // With these settings, a power failure can destroy the file. It must then be created again.
            try database.execute(
                sql: "PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; PRAGMA temp_store = MEMORY")
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { database in
            try insertSeeds(into: database)
            try spreadSeeds(in: database)
        }
        try queue.close()
    }

    private func insertSeeds(into database: Database) throws {
        try database.execute(
            sql:
                """
                CREATE TEMP TABLE seed
                    (id TEXT, user TEXT, key_id TEXT, key TEXT, possession_key_id TEXT, name TEXT, number INTEGER)
                """
        )
        for device in devices {
            try database.execute(
                sql: "INSERT INTO seed VALUES (?, ?, ?, ?, ?, 'Phone', 0)",
                arguments: [
                    device.id.rawValue, device.user.rawValue, device.publicKey.thumbprint.rawValue,
                    String(decoding: StrictJSON.encode(device.publicKey), as: UTF8.self),
                    device.possessionKeyID.rawValue,
                ])
        }
        guard let key = devices.first?.publicKey, deviceCount > devices.count else { return }
        // The keys of all other devices are never read, so these devices have the same key. Their key ids are as long
        // as real ones.
        try database.execute(
            sql: """
                WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
                INSERT INTO seed
                SELECT lower(hex(randomblob(16))), 'user-' || n, substr(hex(randomblob(22)), 1, 43), ?,
                    substr(hex(randomblob(22)), 1, 43),
                    \(areNamed ? "char(65 + n % 26) || 'nna’s phone ' || n" : "'Phone'"), n
                FROM number
                """,
            arguments: [deviceCount - devices.count, String(decoding: StrictJSON.encode(key), as: UTF8.self)])
    }

    /// Inserts the users and devices in the order of their primary keys, which is fastest.
    private func spreadSeeds(in database: Database) throws {
        let now = NumericDate(Date()).secondsSince1970
        let month = 30 * 24 * 60 * 60
        try database.execute(
            sql: "INSERT INTO user (id, folded_id, created_at) SELECT user, lower(user), ? FROM seed ORDER BY user",
            arguments: [now - month])
        try database.execute(
            sql: """
                INSERT INTO device
                    (id, user_id, client_id, key_id, key, possession_key_id, name, folded_name, bound_at, last_login_at,
                    family_id, current_hash, family_expires_at, authenticated_at)
                SELECT id, user, ?, key_id, key, possession_key_id, name, lower(name), ?, ?, randomblob(16),
                    randomblob(32), ? + abs(random()) % ?, ?
                FROM seed ORDER BY id
                """,
            arguments: [ClientID.default.rawValue, now - month, now, now + 24 * 60 * 60, month, now])
        if areNamed { try addStatesAndEvents(in: database, now: now) }
        try database.execute(sql: "DROP TABLE seed")
    }

    /// Blocks one device in a thousand and revokes one in five hundred. Adds a login of each to the audit log; the
    /// hashes of these entries are not right.
    private func addStatesAndEvents(in database: Database, now: Int) throws {
        try database.execute(
            sql: """
                UPDATE device SET blocked_at = ?, blocked_by = 'operator'
                WHERE id IN (SELECT id FROM seed WHERE number % 1000 = 1)
                """, arguments: [now])
        try database.execute(
            sql: "UPDATE device SET revoked_at = ? WHERE id IN (SELECT id FROM seed WHERE number % 500 = 2)",
            arguments: [now])
        try database.execute(
            sql: """
                INSERT INTO audit_entry (chain, sequence, at, user_id, body, hash)
                SELECT 'AAAAAAAAAAAAAAAAAAAAAA', number, ?1 + number / 20, user,
                    CAST('{"actor":"device","at":' || (?1 + number / 20) || ',"chain":"AAAAAAAAAAAAAAAAAAAAAA","device":"' || id
                        || '","event":"logged_in","sequence":' || number || ',"user":"' || user || '"}' AS BLOB),
                    key_id
                FROM seed WHERE number > 0 ORDER BY number
                """, arguments: [now - 24 * 60 * 60])
    }
}
