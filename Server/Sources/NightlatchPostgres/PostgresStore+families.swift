public import NightlatchRelyingParty
public import NightlatchWire

extension PostgresStore {
    public func refreshFamily(_ id: RefreshFamilyID) async throws(RelyingPartyStoreError) -> LiveRefreshFamily? {
        try await shareRead { transaction in
            let answer = try transaction.send(
                """
                SELECT \(DeviceRecord.columns), family_key, current_hash, previous_hash, expires_at,
                authenticated_at, user_verification
                FROM device JOIN (
                    SELECT device_id, possession_key_id AS family_key, current_hash, previous_hash, expires_at,
                    authenticated_at, user_verification
                    FROM refresh_family WHERE id = $1
                ) AS family ON device_id = device.id
                WHERE revoked_at IS NULL AND blocked_at IS NULL
                """,
                .bytes(id.bytes))
            try transaction.bringClock()
            return {
                guard let row = try answer.rows().first, try row.date("expires_at") >= transaction.now() else {
                    return nil
                }
                let hashes = [try row.bytes("current_hash"), try row.optionalBytes("previous_hash")]
                return LiveRefreshFamily(
                    device: try DeviceRecord(row), possessionKey: try row.identifier("family_key"),
                    authentication: try Authentication(row),
                    usableTokens: Set(hashes.compactMap(\.self).map { RefreshTokenHash($0) }),
                    expiresAt: try row.date("expires_at"))
            }
        }
    }

    public func revokeRefreshFamily(
        _ id: RefreshFamilyID,
        possessionKey: KeyID
    ) async throws(RelyingPartyStoreError) -> FamilyRevocationOutcome {
        try await write { transaction in
            let row = try transaction.rows(
                """
                SELECT refresh_family.possession_key_id, device_id, user_id
                FROM refresh_family JOIN device ON device.id = device_id
                WHERE refresh_family.id = $1 FOR UPDATE OF refresh_family
                """,
                .bytes(id.bytes)
            ).first
            guard let row else { return .gone }
            guard try row.text("possession_key_id") == possessionKey.rawValue else { return .otherKey }
            try transaction.send("DELETE FROM refresh_family WHERE id = $1", .bytes(id.bytes))
            try transaction.append(
                AuditEvent(
                    .loggedOut, by: .device, user: try row.identifier("user_id"),
                    device: try row.identifier("device_id")))
            return .gone
        }
    }
}

extension Authentication {
    /// Reads the authentication from the row of a family.
    init(_ row: PostgresRow) throws(RelyingPartyStoreError) {
        var userVerification: UserVerification?
        if let text = try row.optionalText("user_verification") {
            guard let known = UserVerification(rawValue: text) else { throw RelyingPartyStoreError(.corrupt) }
            userVerification = known
        }
        self.init(time: try row.date("authenticated_at"), userVerification: userVerification)
    }
}
