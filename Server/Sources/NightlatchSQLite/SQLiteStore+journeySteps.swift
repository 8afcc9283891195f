import Foundation
import GRDB
public import NightlatchRelyingParty
import NightlatchWire

extension SQLiteStore {
    public func recordJourneyStep(_ step: JourneyStep) async throws(RelyingPartyStoreError) -> JourneyStepOutcome {
        return try await write { database, now in
            // In a savepoint: a refused step must leave no trace, and the other verbs of its commit group must not
            // fail.
            var outcome = JourneyStepOutcome.recorded
            var replaced: [JourneyDevice] = []
            try database.inSavepoint {
                outcome = try Self.record(step, now: now, replaced: &replaced, in: database)
                return outcome == .recorded || outcome == .groundGone ? .commit : .rollback
            }
            if outcome == .recorded {
                for event in step.auditEvents(replacing: replaced) { try append(event, at: now, in: database) }
            }
            return outcome
        }
    }

    private static func record(
        _ step: JourneyStep,
        now: NumericDate,
        replaced: inout [JourneyDevice],
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
        if let creation = step.creation {
            guard try insert(creation, at: now, in: database) else { return .userExists }
        }
        // The access times are updated before the bindings, which may replace a key that has signed.
        for signing in step.signings {
            try database.execute(
                sql: "UPDATE journey_device SET last_access_at = ? WHERE id = ? AND user_id = ?",
                arguments: [now.secondsSince1970, signing.key.rawValue, signing.user.rawValue])
            guard database.changesCount == 1 else { return .noSuchDevice }
        }
        guard !step.bindsTwice else { return .keyTaken }
        for binding in step.bindings {
            let device = binding.device
            guard try !isTaken(device.key.thumbprint, as: device.id, of: device.user, in: database) else {
                return .keyTaken
            }
            if let old = try forget(device.id, of: device.user, keeping: step.keptSession, in: database) {
                replaced.append(old)
            }
            guard try insert(binding, in: database) else { return .tooManyDevices }
        }
        if let session = step.session { try insert(session, at: now, in: database) }
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

    /// Inserts a user with their password and profile, unless the user exists.
    ///
    /// - Returns: Whether the user was inserted.
    private static func insert(
        _ creation: NewJourneyUser,
        at now: NumericDate,
        in database: Database
    ) throws -> Bool {
        let (user, password) = (creation.user.rawValue, creation.password)
        try addUser(creation.user, at: now, generation: creation.generation, in: database)
        guard database.changesCount == 1 else { return false }
        try database.execute(
            sql: """
                INSERT INTO password (user_id, hash, salt, memory_kibibytes, passes, lanes, failures, closed_until)
                VALUES (?, ?, ?, ?, ?, ?, 0, 0)
                """,
            arguments: [
                user, Data(password.hash), Data(password.salt), password.memoryKibibytes, password.passes,
                password.lanes,
            ])
        if let profile = creation.storedProfile(at: now) { try put(profile, of: creation.user, in: database) }
        return true
    }

    /// Inserts a key, unless the user has as many as the limit allows.
    ///
    /// - Returns: Whether the key was inserted.
    private static func insert(_ binding: JourneyBinding, in database: Database) throws -> Bool {
        let device = binding.device
        let count = try Int.fetchOne(
            database, sql: "SELECT count(*) FROM journey_device WHERE user_id = ?", arguments: [device.user.rawValue])
        if let limit = binding.limit, count ?? 0 >= limit { return false }
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
        return true
    }
}
