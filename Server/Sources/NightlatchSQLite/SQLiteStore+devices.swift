import Foundation
import GRDB
public import NightlatchRelyingParty
public import NightlatchWire

extension SQLiteStore {
    public func device(_ id: DeviceID, of user: UserID) async throws(RelyingPartyStoreError) -> DeviceRecord? {
        try readOnce { database in try Self.device(id, of: user, in: database) }
    }

    public func device(withKey key: KeyID, of user: UserID) async throws(RelyingPartyStoreError) -> DeviceRecord? {
        try readOnce { database in
            try KeptStatement(Self.selectDeviceWithKey, in: database).first(
                .text(key.rawValue), .text(user.rawValue), read: DeviceRecord.init)
        }
    }

    public func devices(
        of user: UserID,
        activeLimit: Int,
        revokedLimit: Int
    ) async throws(RelyingPartyStoreError) -> [DeviceRecord] {
        try read { database in
            let active = try KeptStatement(
                """
                SELECT \(DeviceRecord.columns) FROM device WHERE user_id = ? AND revoked_at IS NULL
                ORDER BY bound_at DESC, id DESC LIMIT ?
                """, in: database
            ).all(.text(user.rawValue), .integer(activeLimit), read: DeviceRecord.init)
            let revoked = try KeptStatement(
                """
                SELECT \(DeviceRecord.columns) FROM device WHERE user_id = ? AND revoked_at IS NOT NULL
                ORDER BY revoked_at DESC, id DESC LIMIT ?
                """, in: database
            ).all(.text(user.rawValue), .integer(revokedLimit), read: DeviceRecord.init)
            return (active + revoked).sorted(by: DeviceRecord.areInOrderOfBinding)
        }
    }

    public func change(
        _ device: DeviceID,
        of user: UserID,
        by actor: ActingParty,
        _ change: DeviceChange
    ) async throws(RelyingPartyStoreError) -> DeviceRecord? {
        return try await write { database, now in
            guard var found = try Self.device(device, of: user, in: database) else { return nil }
            if let kind = found.apply(change, by: actor, at: now) {
                try found.update(in: database)
                try append(AuditEvent(kind, by: actor, user: user, device: device), at: now, in: database)
            }
            if found.stop != nil {
                try Self.revokeFamily(of: device, in: database)
                try Self.endSessions(by: JourneyKeyID(device), of: user, keeping: nil, in: database)
            }
            if found.revokedAt != nil { try destroyPinKeys(of: found, by: actor, at: now, in: database) }
            return found
        }
    }

    static func revokeFamily(of device: DeviceID, in database: Database) throws {
        try KeptStatement(
            """
            UPDATE device SET family_id = NULL, current_hash = NULL, previous_hash = NULL, family_expires_at = NULL,
            authenticated_at = NULL, user_verification = NULL WHERE id = ?
            """,
            in: database
        ).run(.text(device.rawValue))
    }

    static func device(_ id: DeviceID, of user: UserID, in database: Database) throws -> DeviceRecord? {
        try KeptStatement(selectDevice, in: database).first(
            .text(id.rawValue), .text(user.rawValue), read: DeviceRecord.init)
    }

    private static let selectDevice =
        "SELECT \(DeviceRecord.columns) FROM device WHERE id = ? AND user_id = ?"

    private static let selectDeviceWithKey =
        "SELECT \(DeviceRecord.columns) FROM device WHERE key_id = ? AND user_id = ?"
}

extension DeviceRecord {
    /// The columns for ``init(_:)``, which reads them by index in this order.
    static let columns =
        """
        id, user_id, client_id, key, key_id, possession_key_id, name, bound_at, last_login_at, revoked_at, blocked_at,
        blocked_by, replaced_by, algorithm
        """

    init(_ row: KeptRow) throws(RelyingPartyStoreError) {
        self.init(
            id: try row.identifier(0), user: try row.identifier(1), client: try row.identifier(2),
            key: try Self.key(row.blob(3)), algorithm: try SignatureAlgorithm(stored: row.optionalText(13)),
            keyID: try row.identifier(4), possessionKey: try row.identifier(5),
            name: try row.identifier(6), boundAt: try row.date(7), lastLoginAt: row.optionalDate(8),
            revokedAt: row.optionalDate(9),
            block: try DeviceBlock(at: row.optionalInteger(10), by: row.optionalText(11)),
            replacedBy: try row.optionalIdentifier(12))
    }

    private static func key(_ text: [UInt8]) throws(RelyingPartyStoreError) -> PublicJWK {
        do {
            return try PublicJWK(json: text)
        } catch {
            throw RelyingPartyStoreError(.corrupt)
        }
    }

    /// Updates the changeable columns of an existing device, except those of its logins.
    func update(in database: Database) throws {
        try database.execute(
            sql: """
                UPDATE device SET name = ?, revoked_at = ?, blocked_at = ?, blocked_by = ?, replaced_by = ? WHERE id = ?
                """,
            arguments: [
                name.rawValue, revokedAt?.secondsSince1970, block?.at.secondsSince1970, block?.actor.rawValue,
                replacedBy?.rawValue, id.rawValue,
            ])
        try Self.fold(name, of: id, in: database)
    }

    /// Writes the text by which lists find a name that was just written. A trigger has removed it if the name changed.
    static func fold(_ name: DeviceName, of id: DeviceID, in database: Database) throws {
        try KeptStatement("UPDATE device SET folded_name = ? WHERE id = ? AND folded_name = ''", in: database)
            .run(.text(SearchText(name.rawValue).folded), .text(id.rawValue))
    }
}
