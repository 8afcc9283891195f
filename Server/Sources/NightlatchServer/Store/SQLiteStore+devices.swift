import Foundation
import GRDB
public import NightlatchWire

extension SQLiteStore {
    public func device(_ id: DeviceID, of user: UserID) async throws(StoreError) -> RegisteredDevice? {
        try readOnce { database in try Self.device(id, of: user, in: database) }
    }

    public func devices(
        of user: UserID,
        activeLimit: Int,
        revokedLimit: Int
    ) async throws(StoreError) -> [RegisteredDevice] {
        try read { database in
            let active = try Row.fetchAll(
                database,
                sql: """
                    SELECT \(RegisteredDevice.columns) FROM device WHERE user_id = ? AND revoked_at IS NULL
                    ORDER BY bound_at DESC, id DESC LIMIT ?
                    """,
                arguments: [user.rawValue, activeLimit])
            let revoked = try Row.fetchAll(
                database,
                sql: """
                    SELECT \(RegisteredDevice.columns) FROM device WHERE user_id = ? AND revoked_at IS NOT NULL
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
                try append(AuditEvent(.deviceRevoked, by: actor, user: user, device: device), at: now, in: database)
            }
            try database.execute(sql: "DELETE FROM refresh_family WHERE device_id = ?", arguments: [device.rawValue])
            return found
        }
    }

    static func device(_ id: DeviceID, of user: UserID, in database: Database) throws -> RegisteredDevice? {
        try KeptStatement(selectDevice, in: database).first(
            .text(id.rawValue), .text(user.rawValue), read: RegisteredDevice.init)
    }

    private static let selectDevice =
        "SELECT \(RegisteredDevice.columns) FROM device WHERE id = ? AND user_id = ?"
}

extension RegisteredDevice {
    /// What ``init(_:)`` takes, in its order: by their places columns are found without looking for their names.
    static let columns =
        "id, user_id, client_id, key, possession_key_id, name, bound_at, last_login_at, revoked_at"

    init(_ row: KeptRow) throws(StoreError) {
        self.init(
            id: try row.identifier(0), user: try row.identifier(1), client: try row.identifier(2),
            key: try Self.key(row.text(3)), possessionKey: try row.identifier(4), name: try row.identifier(5),
            boundAt: NumericDate(secondsSince1970: try row.integer(6)),
            lastLoginAt: row.optionalInteger(7).map(NumericDate.init(secondsSince1970:)),
            revokedAt: row.optionalInteger(8).map(NumericDate.init(secondsSince1970:)))
    }

    init(_ row: Row) throws(StoreError) {
        self.init(
            id: try row.identifier(0), user: try row.identifier(1), client: try row.identifier(2),
            key: try Self.key(row[3]), possessionKey: try row.identifier(4), name: try row.identifier(5),
            boundAt: NumericDate(secondsSince1970: row[6]),
            lastLoginAt: (row[7] as Int?).map(NumericDate.init(secondsSince1970:)),
            revokedAt: (row[8] as Int?).map(NumericDate.init(secondsSince1970:)))
    }

    private static func key(_ text: String) throws(StoreError) -> PublicJWK {
        do {
            return try StrictJSON.decode(PublicJWK.self, from: Array(text.utf8))
        } catch {
            throw StoreError(.corrupt)
        }
    }
}

extension Row {
    /// The text of the column at `place`, which was of the grammar when it was written.
    func identifier<Rule>(_ place: Int) throws(StoreError) -> Identifier<Rule> {
        guard let identifier = Identifier<Rule>(rawValue: self[place]) else { throw StoreError(.corrupt) }
        return identifier
    }

    /// As ``identifier(_:)``, of the column of a name.
    func identifier<Rule>(_ column: String) throws(StoreError) -> Identifier<Rule> {
        guard let identifier = Identifier<Rule>(rawValue: self[column]) else { throw StoreError(.corrupt) }
        return identifier
    }
}
