public import NightlatchRelyingParty
public import NightlatchWire

extension PostgresStore {
    public func journeyDevices(of user: UserID) async throws(RelyingPartyStoreError) -> [JourneyDevice] {
        try await read { transaction in
            try transaction.rows(
                "SELECT \(JourneyDevice.columns) FROM journey_device WHERE user_id = $1 ORDER BY bound_at, id",
                .text(user.rawValue)
            ).map(JourneyDevice.init)
        }
    }

    public func journeyDevice(
        _ id: JourneyKeyID, of user: UserID
    ) async throws(RelyingPartyStoreError) -> JourneyDevice? {
        try await read { transaction in
            try transaction.rows(
                "SELECT \(JourneyDevice.columns) FROM journey_device WHERE id = $1 AND user_id = $2",
                .text(id.rawValue), .text(user.rawValue)
            ).first.map(JourneyDevice.init)
        }
    }

    public func isJourneyKeyTaken(
        _ key: KeyID,
        as id: JourneyKeyID,
        of user: UserID
    ) async throws(RelyingPartyStoreError) -> Bool {
        try await read { transaction in try Self.isTaken(key, as: id, of: user, in: transaction) }
    }

    public func journeyGeneration(of user: UserID) async throws(RelyingPartyStoreError) -> Int {
        try await read { transaction in
            try transaction.rows("SELECT journey_generation FROM user_account WHERE id = $1", .text(user.rawValue))
                .first?.integer("journey_generation") ?? 0
        }
    }

    public func renameJourneyDevice(
        _ id: JourneyKeyID,
        of user: UserID,
        to name: DeviceName,
        by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> JourneyDevice? {
        try await write { transaction in
            let row = try transaction.rows(
                """
                SELECT \(JourneyDevice.columns) FROM journey_device WHERE id = $1 AND user_id = $2 FOR NO KEY UPDATE
                """,
                .text(id.rawValue), .text(user.rawValue)
            ).first
            guard var device = try row.map(JourneyDevice.init) else { return nil }
            guard device.name != name else { return device }
            device.name = name
            try transaction.send(
                "UPDATE journey_device SET name = $1 WHERE user_id = $2 AND id = $3", .text(name.rawValue),
                .text(user.rawValue), .text(id.rawValue))
            try transaction.append(AuditEvent(renamed: device, by: actor))
            return device
        }
    }

    public func removeJourneyDevice(
        _ id: JourneyKeyID,
        of user: UserID,
        by actor: ActingParty,
        keeping session: JourneySessionHash?
    ) async throws(RelyingPartyStoreError) -> JourneyDevice? {
        try await write { transaction in
            try transaction.send(Self.lockUser, .text(user.rawValue))
            guard let device = try Self.forget(id, of: user, keeping: session, in: transaction) else { return nil }
            try transaction.append(AuditEvent(removed: device, by: actor))
            return device
        }
    }

    static let lockUser = "SELECT 1 FROM user_account WHERE id = $1 FOR NO KEY UPDATE"

    static func stopJourneys(of user: UserID, in transaction: PostgresTransaction) throws {
        try transaction.send(
            "UPDATE user_account SET journey_generation = journey_generation + 1 WHERE id = $1",
            .text(user.rawValue))
    }

    static func isTaken(
        _ key: KeyID,
        as id: JourneyKeyID,
        of user: UserID,
        in transaction: PostgresTransaction
    ) throws -> Bool {
        try !transaction.rows(
            "SELECT 1 FROM journey_device WHERE key_id = $1 AND NOT (user_id = $2 AND id = $3)",
            .text(key.rawValue), .text(user.rawValue), .text(id.rawValue)
        ).isEmpty
    }

    /// Deletes a key, ends its sessions except `session`, and stops its user's journeys. The caller has locked the
    /// user's row.
    ///
    /// - Returns: The deleted key; nil if `user` has no such key.
    static func forget(
        _ id: JourneyKeyID,
        of user: UserID,
        keeping session: JourneySessionHash?,
        in transaction: PostgresTransaction
    ) throws -> JourneyDevice? {
        let row = try transaction.rows(
            "DELETE FROM journey_device WHERE user_id = $1 AND id = $2 RETURNING \(JourneyDevice.columns)",
            .text(user.rawValue), .text(id.rawValue)
        ).first
        guard let device = try row.map(JourneyDevice.init) else { return nil }
        try stopJourneys(of: user, in: transaction)
        try endSessions(by: id, of: user, keeping: session, in: transaction)
        return device
    }
}

extension JourneyDevice {
    /// The columns for ``init(_:)``.
    static let columns =
        "id, user_id, application, key, algorithm, machine, name, bound_at, last_access_at, protection"

    init(_ row: PostgresRow) throws(RelyingPartyStoreError) {
        guard let algorithm = SignatureAlgorithm(rawValue: try row.text("algorithm")) else {
            throw RelyingPartyStoreError(.corrupt)
        }
        let key: PublicJWK
        do {
            key = try StrictJSON.decode(PublicJWK.self, from: try row.bytes("key"))
        } catch {
            throw RelyingPartyStoreError(.corrupt)
        }
        self.init(
            id: try row.identifier("id"), user: try row.identifier("user_id"),
            application: try row.text("application"), key: key, algorithm: algorithm,
            machine: try row.identifier("machine"), name: try row.identifier("name"),
            boundAt: try row.date("bound_at"), lastAccessAt: try row.date("last_access_at"),
            protection: try Self.protection(row))
    }

    private static func protection(_ row: PostgresRow) throws(RelyingPartyStoreError) -> JourneyKeyProtection? {
        guard let text = try row.optionalText("protection") else { return nil }
        return try JourneyKeyProtection(stored: text)
    }
}
