public import NightlatchServer
public import NightlatchWire

extension PostgresStore {
    public func device(_ id: DeviceID, of user: UserID) async throws(StoreError) -> RegisteredDevice? {
        try await read { transaction in try Self.device(id, of: user, in: transaction) }
    }

    public func devices(
        of user: UserID,
        activeLimit: Int,
        revokedLimit: Int
    ) async throws(StoreError) -> [RegisteredDevice] {
        try await read { transaction in
            try transaction.rows(
                """
                (SELECT \(RegisteredDevice.columns) FROM device
                WHERE user_id = $1 AND revoked_at IS NULL ORDER BY bound_at DESC, id DESC LIMIT $2)
                UNION ALL
                (SELECT \(RegisteredDevice.columns) FROM device
                WHERE user_id = $1 AND revoked_at IS NOT NULL ORDER BY revoked_at DESC, id DESC LIMIT $3)
                """,
                .text(user.rawValue), .integer(activeLimit), .integer(revokedLimit)
            ).map(RegisteredDevice.init).sorted(by: RegisteredDevice.areInOrderOfBinding)
        }
    }

    public func revoke(
        _ device: DeviceID,
        of user: UserID,
        by actor: AuditEvent.Actor
    ) async throws(StoreError) -> RegisteredDevice? {
        try await write { transaction in
            let row = try transaction.rows(
                "SELECT \(RegisteredDevice.columns) FROM device WHERE id = $1 AND user_id = $2 FOR NO KEY UPDATE",
                .text(device.rawValue), .text(user.rawValue)
            ).first
            guard var found = try row.map(RegisteredDevice.init) else { return nil }
            if found.revokedAt == nil {
                let now = try transaction.now()
                found.revokedAt = now
                try transaction.send(
                    "UPDATE device SET revoked_at = $1 WHERE id = $2",
                    .integer(now.secondsSince1970), .text(device.rawValue))
                try transaction.append(AuditEvent(.deviceRevoked, by: actor, user: user, device: device))
            }
            try transaction.send("DELETE FROM refresh_family WHERE device_id = $1", .text(device.rawValue))
            return found
        }
    }

    static func device(
        _ id: DeviceID,
        of user: UserID,
        in transaction: PostgresTransaction
    ) throws -> RegisteredDevice? {
        try transaction.rows(
            "SELECT \(RegisteredDevice.columns) FROM device WHERE id = $1 AND user_id = $2",
            .text(id.rawValue), .text(user.rawValue)
        ).first.map(RegisteredDevice.init)
    }
}

extension RegisteredDevice {
    /// What ``init(_:)`` reads. Columns are named, never `*`: a later version may add some while this one runs.
    static let columns = "id, user_id, client_id, key, possession_key_id, name, bound_at, last_login_at, revoked_at"

    init(_ row: PostgresRow) throws(StoreError) {
        let key: PublicJWK
        do {
            key = try StrictJSON.decode(PublicJWK.self, from: try row.bytes("key"))
        } catch {
            throw StoreError(.corrupt)
        }
        self.init(
            id: try row.identifier("id"), user: try row.identifier("user_id"), client: try row.identifier("client_id"),
            key: key, possessionKey: try row.identifier("possession_key_id"), name: try row.identifier("name"),
            boundAt: try row.date("bound_at"), lastLoginAt: try row.optionalDate("last_login_at"),
            revokedAt: try row.optionalDate("revoked_at"))
    }
}
