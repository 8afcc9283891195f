public import NightlatchServer
public import NightlatchWire

extension PostgresStore {
    public func journeyDevices(of user: UserID) async throws(StoreError) -> [JourneyDevice] {
        try await read { transaction in
            try transaction.rows(
                "SELECT \(JourneyDevice.columns) FROM journey_device WHERE user_id = $1 ORDER BY bound_at, id",
                .text(user.rawValue)
            ).map(JourneyDevice.init)
        }
    }

    public func journeyDevice(_ id: JourneyKeyID, of user: UserID) async throws(StoreError) -> JourneyDevice? {
        try await read { transaction in
            try transaction.rows(
                "SELECT \(JourneyDevice.columns) FROM journey_device WHERE id = $1 AND user_id = $2",
                .text(id.rawValue), .text(user.rawValue)
            ).first.map(JourneyDevice.init)
        }
    }

    public func isJourneyKeyTaken(_ id: JourneyKeyID, key: KeyID) async throws(StoreError) -> Bool {
        try await read { transaction in try Self.isTaken(id, key: key, in: transaction) }
    }

    public func journeyGeneration(of user: UserID) async throws(StoreError) -> Int {
        try await read { transaction in
            try transaction.rows("SELECT journey_generation FROM user_account WHERE id = $1", .text(user.rawValue))
                .first?.integer("journey_generation") ?? 0
        }
    }

    public func recordJourneyStep(_ step: JourneyStep) async throws(StoreError) -> JourneyStepOutcome {
        try await write { transaction in
            let refusal = try Self.refusal(of: step, in: transaction)
            if let refusal, refusal != .groundGone { return refusal }
            let now = try transaction.now()
            // Of two that use one step, or bind one key, at the same moment one fails in here. It is tried again, and refused above.
            if let use = step.use {
                try transaction.send(
                    "INSERT INTO used_journey_step (one_time_key, expires_at) VALUES ($1, $2)",
                    .text(use.oneTimeKey.rawValue), .integer(use.expiresAt.secondsSince1970))
            }
            if refusal == .groundGone {
                for use in step.messages {
                    try transaction.send(
                        "INSERT INTO used_journey_message (message, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                        .bytes(use.message.bytes), .integer(use.expiresAt.secondsSince1970))
                }
                return .groundGone
            }
            for use in step.messages {
                try transaction.send(
                    "INSERT INTO used_journey_message (message, expires_at) VALUES ($1, $2)",
                    .bytes(use.message.bytes), .integer(use.expiresAt.secondsSince1970))
            }
            for binding in step.bindings { try Self.insert(binding.device, in: transaction) }
            for signing in step.signings {
                try transaction.send(
                    "UPDATE journey_device SET last_access_at = $1 WHERE id = $2",
                    .integer(now.secondsSince1970), .text(signing.key.rawValue))
            }
            if let session = step.session {
                try transaction.send(
                    """
                    INSERT INTO journey_session (token_hash, user_id, journey, device_id, began_at, expires_at, signed)
                    VALUES ($1, $2, $3, $4, $5, $6, $7)
                    """,
                    .bytes(session.token.bytes), .text(session.user.rawValue), .text(session.journey),
                    .text(session.key?.rawValue), .integer(now.secondsSince1970),
                    .integer((now + session.life).secondsSince1970), .text(session.signed.map(\.stored)))
            }
            for event in step.auditEvents { try transaction.append(event) }
            return .recorded
        }
    }

    public func journeySession(_ token: JourneySessionHash) async throws(StoreError) -> JourneySession? {
        try await read { transaction in
            let row = try transaction.rows(
                "SELECT \(JourneySession.columns) FROM journey_session WHERE token_hash = $1", .bytes(token.bytes)
            ).first
            guard let session = try row.map(JourneySession.init), try transaction.now() <= session.expiresAt else {
                return nil
            }
            return session
        }
    }

    public func journeySessions(of user: UserID, limit: Int) async throws(StoreError) -> [JourneySession] {
        try await read { transaction in
            try transaction.rows(
                """
                SELECT \(JourneySession.columns) FROM journey_session WHERE user_id = $1 AND expires_at >= $2
                ORDER BY began_at DESC LIMIT $3
                """,
                .text(user.rawValue), .integer(transaction.now().secondsSince1970), .integer(limit)
            ).map(JourneySession.init)
        }
    }

    public func endJourneySession(_ token: JourneySessionHash) async throws(StoreError) {
        try await write { transaction in
            let row = try transaction.rows(
                "DELETE FROM journey_session WHERE token_hash = $1 RETURNING \(JourneySession.columns)",
                .bytes(token.bytes)
            ).first
            guard let session = try row.map(JourneySession.init), try transaction.now() <= session.expiresAt else {
                return
            }
            try transaction.append(AuditEvent(signedOff: session))
        }
    }

    public func endJourneySessions(
        of user: UserID,
        by actor: AuditEvent.Actor
    ) async throws(StoreError) -> Int {
        try await write { transaction in try Self.endSessions(of: user, by: actor, in: transaction) }
    }

    static func endSessions(
        of user: UserID,
        by actor: AuditEvent.Actor,
        in transaction: PostgresTransaction
    ) throws -> Int {
        // Whoever records a step of the user has ended, or begins after this.
        try stopJourneys(of: user, in: transaction)
        let count = try transaction.rows(
            "DELETE FROM journey_session WHERE user_id = $1 AND expires_at >= $2",
            .text(user.rawValue), .integer(transaction.now().secondsSince1970)
        ).affectedCount
        if count > 0 {
            try transaction.append(AuditEvent(.journeySessionsEnded, by: actor, user: user, count: count))
        }
        return count
    }

    public func renameJourneyDevice(
        _ id: JourneyKeyID,
        of user: UserID,
        to name: DeviceName,
        by actor: AuditEvent.Actor
    ) async throws(StoreError) -> JourneyDevice? {
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
                "UPDATE journey_device SET name = $1 WHERE id = $2", .text(name.rawValue), .text(id.rawValue))
            try transaction.append(AuditEvent(renamed: device, by: actor))
            return device
        }
    }

    public func removeJourneyDevice(
        _ id: JourneyKeyID,
        of user: UserID,
        by actor: AuditEvent.Actor,
        keeping session: JourneySessionHash?
    ) async throws(StoreError) -> JourneyDevice? {
        try await write { transaction in
            try transaction.send(Self.lockUser, .text(user.rawValue))
            let row = try transaction.rows(
                "DELETE FROM journey_device WHERE id = $1 AND user_id = $2 RETURNING \(JourneyDevice.columns)",
                .text(id.rawValue), .text(user.rawValue)
            ).first
            guard let device = try row.map(JourneyDevice.init) else { return nil }
            try Self.stopJourneys(of: user, in: transaction)
            try transaction.send(
                "DELETE FROM journey_session WHERE device_id = $1 AND token_hash <> $2",
                .text(id.rawValue), .bytes(session?.bytes ?? []))
            try transaction.append(AuditEvent(removed: device, by: actor))
            return device
        }
    }

    /// Why `step` cannot be recorded, or nil if it can. Until the transaction ends it can still: the rows that this hangs on are locked.
    private static func refusal(
        of step: JourneyStep,
        in transaction: PostgresTransaction
    ) throws -> JourneyStepOutcome? {
        if let use = step.use {
            guard try transaction.now() <= use.expiresAt else { return .expired }
            let used = try transaction.rows(
                "SELECT 1 FROM used_journey_step WHERE one_time_key = $1", .text(use.oneTimeKey.rawValue))
            guard used.isEmpty else { return .used }
        }
        // Two that bind for one user meet here, and who ends the user's sessions or stops the user's journeys.
        for user in step.users { try transaction.send(lockUser, .text(user.rawValue)) }
        if let ground = step.ground {
            guard try holds(ground, in: transaction) else { return .groundGone }
        }
        for use in step.messages {
            let used = try transaction.rows(
                "SELECT 1 FROM used_journey_message WHERE message = $1", .bytes(use.message.bytes))
            guard used.isEmpty else { return .messageUsed }
        }
        for (index, binding) in step.bindings.enumerated() {
            // None of the step's own bindings is in the table yet.
            guard !step.bindings[..<index].contains(where: { $0.isSameKey(as: binding.device) }),
                try !isTaken(binding.device.id, key: binding.device.key.thumbprint, in: transaction)
            else { return .keyTaken }
            let count = try transaction.rows(
                "SELECT count(*) AS count FROM journey_device WHERE user_id = $1", .text(binding.device.user.rawValue)
            ).first?.integer("count")
            if let limit = binding.limit, (count ?? 0) + index >= limit { return .tooManyDevices }
        }
        for signing in step.signings {
            let device = try transaction.rows(
                "SELECT 1 FROM journey_device WHERE id = $1 AND user_id = $2 FOR NO KEY UPDATE",
                .text(signing.key.rawValue), .text(signing.user.rawValue))
            guard !device.isEmpty else { return .noSuchDevice }
        }
        return nil
    }

    /// Until the transaction ends it holds still.
    private static func holds(_ ground: JourneyGround, in transaction: PostgresTransaction) throws -> Bool {
        let user = ground.user.rawValue
        let generation = try transaction.rows(
            "SELECT journey_generation FROM user_account WHERE id = $1", .text(user)
        ).first?.integer("journey_generation")
        guard generation == ground.generation else { return false }
        return switch ground.evidence {
        case .session(let token):
            try !transaction.rows(
                """
                SELECT 1 FROM journey_session WHERE token_hash = $1 AND user_id = $2 AND expires_at >= $3 FOR SHARE
                """,
                .bytes(token.bytes), .text(user), .integer(transaction.now().secondsSince1970)
            ).isEmpty
        case .key(let id):
            try !transaction.rows(
                "SELECT 1 FROM journey_device WHERE id = $1 AND user_id = $2 FOR SHARE", .text(id.rawValue),
                .text(user)
            ).isEmpty
        case nil: true
        }
    }

    private static let lockUser = "SELECT 1 FROM user_account WHERE id = $1 FOR NO KEY UPDATE"

    private static func stopJourneys(of user: UserID, in transaction: PostgresTransaction) throws {
        try transaction.send(
            "UPDATE user_account SET journey_generation = journey_generation + 1 WHERE id = $1",
            .text(user.rawValue))
    }

    private static func insert(_ device: JourneyDevice, in transaction: PostgresTransaction) throws {
        try transaction.send(
            """
            INSERT INTO journey_device
            (id, user_id, application, key_id, key, algorithm, machine, name, bound_at, last_access_at, protection)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            """,
            .text(device.id.rawValue), .text(device.user.rawValue), .text(device.application),
            .text(device.key.thumbprint.rawValue),
            .text(String(decoding: StrictJSON.encode(device.key), as: UTF8.self)), .text(device.algorithm.rawValue),
            .text(device.machine.rawValue), .text(device.name.rawValue), .integer(device.boundAt.secondsSince1970),
            .integer(device.lastAccessAt.secondsSince1970), .text(device.protection?.rawValue))
    }

    private static func isTaken(
        _ id: JourneyKeyID,
        key: KeyID,
        in transaction: PostgresTransaction
    ) throws -> Bool {
        try !transaction.rows(
            "SELECT 1 FROM journey_device WHERE id = $1 OR key_id = $2 LIMIT 1",
            .text(id.rawValue), .text(key.rawValue)
        ).isEmpty
    }
}

extension JourneySession {
    fileprivate static let columns = "user_id, journey, device_id, began_at, expires_at, signed"

    fileprivate init(_ row: PostgresRow) throws(StoreError) {
        self.init(
            user: try row.identifier("user_id"), journey: try row.text("journey"),
            key: try row.optionalText("device_id") == nil ? nil : row.identifier("device_id"),
            signed: try Self.signed(row),
            beganAt: try row.date("began_at"), expiresAt: try row.date("expires_at"))
    }

    private static func signed(_ row: PostgresRow) throws(StoreError) -> JourneySigned? {
        guard let text = try row.optionalText("signed") else { return nil }
        return try JourneySigned(stored: text)
    }
}

extension JourneyDevice {
    fileprivate static let columns =
        "id, user_id, application, key, algorithm, machine, name, bound_at, last_access_at, protection"

    fileprivate init(_ row: PostgresRow) throws(StoreError) {
        guard let algorithm = SignatureAlgorithm(rawValue: try row.text("algorithm")) else {
            throw StoreError(.corrupt)
        }
        let key: PublicJWK
        do {
            key = try StrictJSON.decode(PublicJWK.self, from: try row.bytes("key"))
        } catch {
            throw StoreError(.corrupt)
        }
        self.init(
            id: try row.identifier("id"), user: try row.identifier("user_id"),
            application: try row.text("application"), key: key, algorithm: algorithm,
            machine: try row.identifier("machine"), name: try row.identifier("name"),
            boundAt: try row.date("bound_at"), lastAccessAt: try row.date("last_access_at"),
            protection: try Self.protection(row))
    }

    private static func protection(_ row: PostgresRow) throws(StoreError) -> JourneyKeyProtection? {
        guard let text = try row.optionalText("protection") else { return nil }
        return try JourneyKeyProtection(stored: text)
    }
}
