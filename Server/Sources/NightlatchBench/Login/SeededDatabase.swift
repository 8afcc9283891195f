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
                "CREATE TEMP TABLE seed (id TEXT, user TEXT, key_id TEXT, key TEXT, possession_key_id TEXT)"
        )
        for device in devices {
            try database.execute(
                sql: "INSERT INTO seed VALUES (?, ?, ?, ?, ?)",
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
                    substr(hex(randomblob(22)), 1, 43)
                FROM number
                """,
            arguments: [deviceCount - devices.count, String(decoding: StrictJSON.encode(key), as: UTF8.self)])
    }

    /// Inserts the users and devices in the order of their primary keys, which is fastest.
    private func spreadSeeds(in database: Database) throws {
        let now = NumericDate(Date()).secondsSince1970
        let month = 30 * 24 * 60 * 60
        try database.execute(
            sql: "INSERT INTO user (id, created_at) SELECT user, ? FROM seed ORDER BY user", arguments: [now - month])
        try database.execute(
            sql: """
                INSERT INTO device
                    (id, user_id, client_id, key_id, key, possession_key_id, name, bound_at, last_login_at, family_id,
                    current_hash, family_expires_at, authenticated_at)
                SELECT id, user, ?, key_id, key, possession_key_id, 'Phone', ?, ?, randomblob(16), randomblob(32),
                    ? + abs(random()) % ?, ?
                FROM seed ORDER BY id
                """,
            arguments: [ClientID.default.rawValue, now - month, now, now + 24 * 60 * 60, month, now])
        try database.execute(sql: "DROP TABLE seed")
    }
}
