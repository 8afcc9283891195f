import Foundation
import GRDB
public import NightlatchWire

extension SQLiteStore {
    public func device(_ id: DeviceID, of user: UserID) async throws(StoreError) -> RegisteredDevice? {
        try await read { database in try Self.device(id, of: user, in: database) }
    }

    public func devices(
        of user: UserID,
        activeLimit: Int,
        revokedLimit: Int
    ) async throws(StoreError) -> [RegisteredDevice] {
        try await read { database in
            let active = try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM device WHERE user_id = ? AND revoked_at IS NULL ORDER BY bound_at DESC, id DESC LIMIT ?
                    """,
                arguments: [user.rawValue, activeLimit])
            let revoked = try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM device WHERE user_id = ? AND revoked_at IS NOT NULL
                    ORDER BY revoked_at DESC, id DESC LIMIT ?
                    """,
                arguments: [user.rawValue, revokedLimit])
            return try (active + revoked).map(RegisteredDevice.init).sorted(by: RegisteredDevice.areInOrderOfBinding)
        }
    }

    public func revoke(
        _ device: DeviceID,
        of user: UserID,
        by actor: AuditEvent.Actor
    ) async throws(StoreError) -> RegisteredDevice? {
        let now = clock.now()
        return try await write { database in
            guard var found = try Self.device(device, of: user, in: database) else { return nil }
            if found.revokedAt == nil {
                found.revokedAt = now
                try database.execute(
                    sql: "UPDATE device SET revoked_at = ? WHERE id = ?",
                    arguments: [now.secondsSince1970, device.rawValue])
                try append(AuditEvent(.deviceRevoked, by: actor, user: user, device: device), in: database)
            }
            try database.execute(sql: "DELETE FROM refresh_family WHERE device_id = ?", arguments: [device.rawValue])
            return found
        }
    }

    static func device(_ id: DeviceID, of user: UserID, in database: Database) throws -> RegisteredDevice? {
        try Row.fetchOne(
            database, sql: "SELECT * FROM device WHERE id = ? AND user_id = ?", arguments: [id.rawValue, user.rawValue]
        ).map(RegisteredDevice.init)
    }
}

extension RegisteredDevice {
    init(_ row: Row) throws {
        let key: String = row["key"]
        do {
            self.init(
                id: try row.identifier("id"), user: try row.identifier("user_id"),
                client: try row.identifier("client_id"),
                key: try StrictJSON.decode(PublicJWK.self, from: Data(key.utf8)),
                possessionKey: try row.identifier("possession_key_id"), name: try row.identifier("name"),
                boundAt: NumericDate(secondsSince1970: row["bound_at"]),
                lastLoginAt: (row["last_login_at"] as Int?).map(NumericDate.init(secondsSince1970:)),
                revokedAt: (row["revoked_at"] as Int?).map(NumericDate.init(secondsSince1970:)))
        } catch {
            throw StoreError(.corrupt)
        }
    }
}

extension Row {
    /// The column's text, which was of the grammar when it was written.
    func identifier<Rule>(_ column: String) throws(StoreError) -> Identifier<Rule> {
        guard let identifier = Identifier<Rule>(rawValue: self[column]) else { throw StoreError(.corrupt) }
        return identifier
    }
}
