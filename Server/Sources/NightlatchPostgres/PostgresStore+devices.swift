public import NightlatchRelyingParty
public import NightlatchWire

extension PostgresStore {
    public func device(_ id: DeviceID, of user: UserID) async throws(RelyingPartyStoreError) -> DeviceRecord? {
        try await shareRead { transaction in
            let device = try transaction.send(Self.selectDevice, .text(id.rawValue), .text(user.rawValue))
            return { try device.rows().first.map(DeviceRecord.init) }
        }
    }

    public func device(withKey key: KeyID, of user: UserID) async throws(RelyingPartyStoreError) -> DeviceRecord? {
        try await read { transaction in
            try transaction.rows(
                "SELECT \(DeviceRecord.columns) FROM device WHERE key_id = $1 AND user_id = $2",
                .text(key.rawValue), .text(user.rawValue)
            ).first.map(DeviceRecord.init)
        }
    }

    public func devices(
        of user: UserID,
        activeLimit: Int,
        revokedLimit: Int
    ) async throws(RelyingPartyStoreError) -> [DeviceRecord] {
        try await read { transaction in
            try transaction.rows(
                """
                (SELECT \(DeviceRecord.columns) FROM device
                WHERE user_id = $1 AND revoked_at IS NULL ORDER BY bound_at DESC, id DESC LIMIT $2)
                UNION ALL
                (SELECT \(DeviceRecord.columns) FROM device
                WHERE user_id = $1 AND revoked_at IS NOT NULL ORDER BY revoked_at DESC, id DESC LIMIT $3)
                """,
                .text(user.rawValue), .integer(activeLimit), .integer(revokedLimit)
            ).map(DeviceRecord.init).sorted(by: DeviceRecord.areInOrderOfBinding)
        }
    }

    public func change(
        _ device: DeviceID,
        of user: UserID,
        by actor: ActingParty,
        _ change: DeviceChange
    ) async throws(RelyingPartyStoreError) -> DeviceRecord? {
        try await write { transaction in
            // Locked first, as in the other verbs that end sessions of the user.
            try transaction.send(Self.lockUser, .text(user.rawValue))
            let row = try transaction.rows(
                "SELECT \(DeviceRecord.columns) FROM device WHERE id = $1 AND user_id = $2 FOR NO KEY UPDATE",
                .text(device.rawValue), .text(user.rawValue)
            ).first
            guard var found = try row.map(DeviceRecord.init) else { return nil }
            if let kind = found.apply(change, by: actor, at: try transaction.now()) {
                try found.update(in: transaction)
                try transaction.append(AuditEvent(kind, by: actor, user: user, device: device))
            }
            if found.stop != nil {
                try Self.revokeFamily(of: device, in: transaction)
                try Self.endSessions(by: JourneyKeyID(device), of: user, keeping: nil, in: transaction)
            }
            if found.revokedAt != nil { try Self.destroyPinKeys(of: found, by: actor, in: transaction) }
            return found
        }
    }

    static func revokeFamily(of device: DeviceID, in transaction: PostgresTransaction) throws(PostgresFailure) {
        try transaction.send("DELETE FROM refresh_family WHERE device_id = $1", .text(device.rawValue))
    }

    private static let selectDevice = "SELECT \(DeviceRecord.columns) FROM device WHERE id = $1 AND user_id = $2"

    static func device(
        _ id: DeviceID,
        of user: UserID,
        in transaction: PostgresTransaction
    ) throws -> DeviceRecord? {
        try transaction.rows(selectDevice, .text(id.rawValue), .text(user.rawValue)).first.map(DeviceRecord.init)
    }
}

extension DeviceRecord {
    /// The columns for ``init(_:)``. They are named, never `*`: a later version may add columns while this version
    /// runs.
    static let columns = """
        id, user_id, client_id, key, key_id, possession_key_id, name, bound_at, last_login_at, revoked_at, blocked_at,
        blocked_by, replaced_by, algorithm
        """

    init(_ row: PostgresRow) throws(RelyingPartyStoreError) {
        let key: PublicJWK
        do {
            key = try PublicJWK(json: try row.bytes("key"))
        } catch {
            throw RelyingPartyStoreError(.corrupt)
        }
        self.init(
            id: try row.identifier("id"), user: try row.identifier("user_id"), client: try row.identifier("client_id"),
            key: key, algorithm: try SignatureAlgorithm(stored: row.optionalText("algorithm")),
            keyID: try row.identifier("key_id"), possessionKey: try row.identifier("possession_key_id"),
            name: try row.identifier("name"),
            boundAt: try row.date("bound_at"), lastLoginAt: try row.optionalDate("last_login_at"),
            revokedAt: try row.optionalDate("revoked_at"),
            block: try DeviceBlock(at: row.optionalInteger("blocked_at"), by: row.optionalText("blocked_by")),
            replacedBy: try row.optionalText("replaced_by").map { _ throws(RelyingPartyStoreError) in
                try row.identifier("replaced_by")
            })
    }

    /// Writes all columns of an existing device that can change, except the columns of its logins.
    func update(in transaction: PostgresTransaction) throws(PostgresFailure) {
        try transaction.send(
            """
            UPDATE device SET name = $1, revoked_at = $2, blocked_at = $3, blocked_by = $4, replaced_by = $5 WHERE id = $6
            """,
            .text(name.rawValue), .integer(revokedAt?.secondsSince1970),
            .integer(block?.at.secondsSince1970), .text(block?.actor.rawValue), .text(replacedBy?.rawValue),
            .text(id.rawValue))
        try Self.fold(name, of: id, in: transaction)
    }

    /// Writes the text by which lists find a name that was just written. A trigger has removed it if the name changed.
    static func fold(
        _ name: DeviceName, of id: DeviceID, in transaction: PostgresTransaction
    ) throws(PostgresFailure) {
        try transaction.send(
            "UPDATE device SET folded_name = $1 WHERE id = $2 AND folded_name = ''",
            .text(SearchText(name.rawValue).folded), .text(id.rawValue))
    }
}

extension DeviceStop {
    /// The columns for ``init(_:)``.
    static let columns = "revoked_at, blocked_at, replaced_by"

    /// Returns nil for an active device.
    init?(_ row: PostgresRow) throws(RelyingPartyStoreError) {
        self.init(
            isBlocked: try row.optionalInteger("blocked_at") != nil,
            isRevoked: try row.optionalInteger("revoked_at") != nil,
            isReplaced: try row.optionalBytes("replaced_by") != nil)
    }
}
