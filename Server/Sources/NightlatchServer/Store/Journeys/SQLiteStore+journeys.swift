import Foundation
import GRDB
public import NightlatchWire

extension SQLiteStore {
    public func journeyDevices(of user: UserID) async throws(StoreError) -> [JourneyDevice] {
        try readOnce { database in
            try Row.fetchAll(
                database,
                sql: "SELECT \(JourneyDevice.columns) FROM journey_device WHERE user_id = ? ORDER BY bound_at, id",
                arguments: [user.rawValue]
            ).map(JourneyDevice.init)
        }
    }

    public func journeyDevice(_ id: JourneyKeyID, of user: UserID) async throws(StoreError) -> JourneyDevice? {
        try readOnce { database in try Self.journeyDevice(id, of: user, in: database) }
    }

    public func isJourneyKeyTaken(_ id: JourneyKeyID, key: KeyID) async throws(StoreError) -> Bool {
        try readOnce { database in try Self.isTaken(id, key: key, in: database) }
    }

    public func journeyGeneration(of user: UserID) async throws(StoreError) -> Int {
        try readOnce { database in try Self.journeyGeneration(of: user, in: database) ?? 0 }
    }

    public func recordJourneyStep(_ step: JourneyStep) async throws(StoreError) -> JourneyStepOutcome {
        let now = clock.now()
        return try await write { database in
            // What is refused must leave nothing, and the group that it is committed with goes on.
            var outcome = JourneyStepOutcome.recorded
            try database.inSavepoint {
                outcome = try Self.record(step, now: now, in: database)
                return outcome == .recorded || outcome == .groundGone ? .commit : .rollback
            }
            if outcome == .recorded {
                for event in step.auditEvents { try append(event, at: now, in: database) }
            }
            return outcome
        }
    }

    public func journeySession(_ token: JourneySessionHash) async throws(StoreError) -> JourneySession? {
        let now = clock.now()
        return try readOnce { database in try Self.session(token, at: now, in: database) }
    }

    public func journeySessions(of user: UserID, limit: Int) async throws(StoreError) -> [JourneySession] {
        let now = clock.now()
        return try readOnce { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT \(JourneySession.columns) FROM journey_session WHERE user_id = ? AND expires_at >= ?
                    ORDER BY began_at DESC LIMIT ?
                    """,
                arguments: [user.rawValue, now.secondsSince1970, limit]
            ).map(JourneySession.init)
        }
    }

    public func endJourneySession(_ token: JourneySessionHash) async throws(StoreError) {
        let now = clock.now()
        try await write { database in
            guard let session = try Self.session(token, at: now, in: database) else { return }
            try database.execute(
                sql: "DELETE FROM journey_session WHERE token_hash = ?", arguments: [Data(token.bytes)])
            try append(AuditEvent(signedOff: session), at: now, in: database)
        }
    }

    public func endJourneySessions(
        of user: UserID,
        by actor: AuditEvent.Actor
    ) async throws(StoreError) -> Int {
        let now = clock.now()
        return try await write { database in try endSessions(of: user, by: actor, at: now, in: database) }
    }

    func endSessions(
        of user: UserID,
        by actor: AuditEvent.Actor,
        at now: NumericDate,
        in database: Database
    ) throws -> Int {
        try Self.stopJourneys(of: user, in: database)
        try database.execute(
            sql: "DELETE FROM journey_session WHERE user_id = ? AND expires_at >= ?",
            arguments: [user.rawValue, now.secondsSince1970])
        let count = database.changesCount
        if count > 0 {
            try append(
                AuditEvent(.journeySessionsEnded, by: actor, user: user, count: count), at: now, in: database)
        }
        return count
    }

    public func renameJourneyDevice(
        _ id: JourneyKeyID,
        of user: UserID,
        to name: DeviceName,
        by actor: AuditEvent.Actor
    ) async throws(StoreError) -> JourneyDevice? {
        let now = clock.now()
        return try await write { database in
            guard var device = try Self.journeyDevice(id, of: user, in: database) else { return nil }
            guard device.name != name else { return device }
            device.name = name
            try database.execute(
                sql: "UPDATE journey_device SET name = ? WHERE id = ?", arguments: [name.rawValue, id.rawValue])
            try append(AuditEvent(renamed: device, by: actor), at: now, in: database)
            return device
        }
    }

    public func removeJourneyDevice(
        _ id: JourneyKeyID,
        of user: UserID,
        by actor: AuditEvent.Actor,
        keeping session: JourneySessionHash?
    ) async throws(StoreError) -> JourneyDevice? {
        let now = clock.now()
        return try await write { database in
            guard let device = try Self.journeyDevice(id, of: user, in: database) else { return nil }
            try Self.stopJourneys(of: user, in: database)
            try database.execute(sql: "DELETE FROM journey_device WHERE id = ?", arguments: [id.rawValue])
            try database.execute(
                sql: "DELETE FROM journey_session WHERE device_id = ? AND token_hash <> ?",
                arguments: [id.rawValue, Data(session?.bytes ?? [])])
            try append(AuditEvent(removed: device, by: actor), at: now, in: database)
            return device
        }
    }

    private static func record(
        _ step: JourneyStep,
        now: NumericDate,
        in database: Database
    ) throws -> JourneyStepOutcome {
        if let use = step.use {
            guard now <= use.expiresAt else { return .expired }
            try database.execute(
                sql: "INSERT INTO used_journey_step (one_time_key, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING",
                arguments: [use.oneTimeKey.rawValue, use.expiresAt.secondsSince1970])
            guard database.changesCount == 1 else { return .used }
        }
        let holds = try step.ground.map { ground in try Self.holds(ground, now: now, in: database) } ?? true
        for use in step.messages {
            try database.execute(
                sql: "INSERT INTO used_journey_message (message, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING",
                arguments: [Data(use.message.bytes), use.expiresAt.secondsSince1970])
            guard database.changesCount == 1 || !holds else { return .messageUsed }
        }
        guard holds else { return .groundGone }
        for binding in step.bindings {
            if let refusal = try insert(binding, in: database) { return refusal }
        }
        for signing in step.signings {
            try database.execute(
                sql: "UPDATE journey_device SET last_access_at = ? WHERE id = ? AND user_id = ?",
                arguments: [now.secondsSince1970, signing.key.rawValue, signing.user.rawValue])
            guard database.changesCount == 1 else { return .noSuchDevice }
        }
        if let session = step.session {
            try database.execute(
                sql: """
                    INSERT INTO journey_session (token_hash, user_id, journey, device_id, began_at, expires_at, signed)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    Data(session.token.bytes), session.user.rawValue, session.journey, session.key?.rawValue,
                    now.secondsSince1970, (now + session.life).secondsSince1970, session.signed.map(\.stored),
                ])
        }
        return .recorded
    }

    private static func holds(_ ground: JourneyGround, now: NumericDate, in database: Database) throws -> Bool {
        let user = ground.user.rawValue
        guard try journeyGeneration(of: ground.user, in: database) == ground.generation else { return false }
        return switch ground.evidence {
        case .session(let token):
            try Int.fetchOne(
                database,
                sql: "SELECT 1 FROM journey_session WHERE token_hash = ? AND user_id = ? AND expires_at >= ?",
                arguments: [Data(token.bytes), user, now.secondsSince1970]) != nil
        case .key(let id):
            try Int.fetchOne(
                database, sql: "SELECT 1 FROM journey_device WHERE id = ? AND user_id = ?",
                arguments: [id.rawValue, user]) != nil
        case nil: true
        }
    }

    /// Nil if there is no such user.
    private static func journeyGeneration(of user: UserID, in database: Database) throws -> Int? {
        try Int.fetchOne(
            database, sql: "SELECT journey_generation FROM user WHERE id = ?", arguments: [user.rawValue])
    }

    private static func stopJourneys(of user: UserID, in database: Database) throws {
        try database.execute(
            sql: "UPDATE user SET journey_generation = journey_generation + 1 WHERE id = ?",
            arguments: [user.rawValue])
    }

    private static func insert(_ binding: JourneyBinding, in database: Database) throws -> JourneyStepOutcome? {
        let device = binding.device
        guard try !isTaken(device.id, key: device.key.thumbprint, in: database) else { return .keyTaken }
        let count = try Int.fetchOne(
            database, sql: "SELECT count(*) FROM journey_device WHERE user_id = ?", arguments: [device.user.rawValue])
        if let limit = binding.limit, count ?? 0 >= limit { return .tooManyDevices }
        try database.execute(
            sql: """
                INSERT INTO journey_device (id, user_id, application, key_id, key, algorithm, machine, name, bound_at,
                    last_access_at, protection)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                device.id.rawValue, device.user.rawValue, device.application, device.key.thumbprint.rawValue,
                String(decoding: StrictJSON.encode(device.key), as: UTF8.self), device.algorithm.rawValue,
                device.machine.rawValue, device.name.rawValue, device.boundAt.secondsSince1970,
                device.lastAccessAt.secondsSince1970, device.protection?.rawValue,
            ])
        return nil
    }

    private static func isTaken(_ id: JourneyKeyID, key: KeyID, in database: Database) throws -> Bool {
        try Int.fetchOne(
            database, sql: "SELECT 1 FROM journey_device WHERE id = ? OR key_id = ? LIMIT 1",
            arguments: [id.rawValue, key.rawValue]) != nil
    }

    private static func session(
        _ token: JourneySessionHash,
        at now: NumericDate,
        in database: Database
    ) throws -> JourneySession? {
        try Row.fetchOne(
            database,
            sql: "SELECT \(JourneySession.columns) FROM journey_session WHERE token_hash = ? AND expires_at >= ?",
            arguments: [Data(token.bytes), now.secondsSince1970]
        ).map(JourneySession.init)
    }

    private static func journeyDevice(
        _ id: JourneyKeyID,
        of user: UserID,
        in database: Database
    ) throws -> JourneyDevice? {
        try Row.fetchOne(
            database, sql: "SELECT \(JourneyDevice.columns) FROM journey_device WHERE id = ? AND user_id = ?",
            arguments: [id.rawValue, user.rawValue]
        ).map(JourneyDevice.init)
    }
}

extension JourneySession {
    fileprivate static let columns = "user_id, journey, device_id, began_at, expires_at, signed"

    fileprivate init(_ row: Row) throws {
        self.init(
            user: try row.identifier(0), journey: row[1],
            key: (row[2] as String?) == nil ? nil : try row.identifier(2),
            signed: try (row[5] as String?).map(JourneySigned.init(stored:)),
            beganAt: NumericDate(secondsSince1970: row[3]), expiresAt: NumericDate(secondsSince1970: row[4]))
    }
}

extension JourneyDevice {
    fileprivate static let columns =
        "id, user_id, application, key, algorithm, machine, name, bound_at, last_access_at, protection"

    fileprivate init(_ row: Row) throws {
        guard let algorithm = SignatureAlgorithm(rawValue: row[4]) else { throw StoreError(.corrupt) }
        let key: String = row[3]
        do {
            self.init(
                id: try row.identifier(0), user: try row.identifier(1), application: row[2],
                key: try StrictJSON.decode(PublicJWK.self, from: Data(key.utf8)), algorithm: algorithm,
                machine: try row.identifier(5), name: try row.identifier(6),
                boundAt: NumericDate(secondsSince1970: row[7]), lastAccessAt: NumericDate(secondsSince1970: row[8]),
                protection: try (row[9] as String?).map(JourneyKeyProtection.init(stored:)))
        } catch {
            throw StoreError(.corrupt)
        }
    }
}
