public import NightlatchRelyingParty
import NightlatchWire

extension PostgresStore {
    public func recordJourneyStep(_ step: JourneyStep) async throws(RelyingPartyStoreError) -> JourneyStepOutcome {
        try await write { transaction in
            // Locks the users. Steps that bind for the same user take turns here, and so do transactions that end the
            // user's sessions or stop the user's journeys.
            for user in step.users { try transaction.send(Self.lockUser, .text(user.rawValue)) }
            // Whether a binding is allowed depends on the bindings before it. If one is not allowed, the writes of the
            // earlier ones are rolled back.
            let mayBeTakenBack = !step.bindings.isEmpty
            if mayBeTakenBack { try transaction.send("SAVEPOINT journey_step") }
            var replaced: [JourneyDevice] = []
            let outcome = try Self.record(step, replaced: &replaced, in: transaction)
            if outcome == .recorded {
                for event in step.auditEvents(replacing: replaced) { try transaction.append(event) }
            } else if outcome != .groundGone, mayBeTakenBack {
                try transaction.send("ROLLBACK TO SAVEPOINT journey_step")
            }
            return outcome
        }
    }

    /// Records `step`. If two steps use the same question, bind the same key or create the same user at the same time,
    /// one of them fails here. That step runs again, and is then refused.
    private static func record(
        _ step: JourneyStep,
        replaced: inout [JourneyDevice],
        in transaction: PostgresTransaction
    ) throws -> JourneyStepOutcome {
        let now = try transaction.now()
        let refusal = try refusal(of: step, now: now, in: transaction)
        if let refusal, refusal != .groundGone { return refusal }
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
        if let creation = step.creation { try insert(creation, at: now, in: transaction) }
        // The access times are updated before the bindings, which may replace a key that has signed.
        for signing in step.signings {
            try transaction.send(
                "UPDATE journey_device SET last_access_at = $1 WHERE user_id = $2 AND id = $3",
                .integer(now.secondsSince1970), .text(signing.user.rawValue), .text(signing.key.rawValue))
        }
        for binding in step.bindings {
            let device = binding.device
            guard try !isTaken(device.key.thumbprint, as: device.id, of: device.user, in: transaction) else {
                return .keyTaken
            }
            if let old = try forget(device.id, of: device.user, keeping: step.keptSession, in: transaction) {
                replaced.append(old)
            }
            guard try insert(binding, in: transaction) else { return .tooManyDevices }
        }
        if let session = step.session { try insert(session, at: now, in: transaction) }
        return .recorded
    }

    /// Returns the reason why `step` cannot be recorded; nil if there is none. Does not check its bindings. The result
    /// stays valid until the transaction ends, because the rows that it depends on are locked.
    private static func refusal(
        of step: JourneyStep,
        now: NumericDate,
        in transaction: PostgresTransaction
    ) throws -> JourneyStepOutcome? {
        if let use = step.use {
            guard now <= use.expiresAt else { return .expired }
            let used = try transaction.rows(
                "SELECT 1 FROM used_journey_step WHERE one_time_key = $1", .text(use.oneTimeKey.rawValue))
            guard used.isEmpty else { return .used }
        }
        if let ground = step.ground {
            guard try holds(ground, in: transaction) else { return .groundGone }
        }
        for use in step.messages {
            let used = try transaction.rows(
                "SELECT 1 FROM used_journey_message WHERE message = $1", .bytes(use.message.bytes))
            guard used.isEmpty else { return .messageUsed }
        }
        for signing in step.signings {
            let device = try transaction.rows(
                "SELECT 1 FROM journey_device WHERE id = $1 AND user_id = $2 FOR NO KEY UPDATE",
                .text(signing.key.rawValue), .text(signing.user.rawValue))
            guard !device.isEmpty else { return .noSuchDevice }
        }
        if let creation = step.creation {
            let known = try transaction.rows("SELECT 1 FROM user_account WHERE id = $1", .text(creation.user.rawValue))
            guard known.isEmpty else { return .userExists }
        }
        return step.bindsTwice ? .keyTaken : nil
    }

    /// Inserts a user that does not exist, with their password and profile. If two steps create the same user at the
    /// same time, one of them fails here.
    private static func insert(
        _ creation: NewJourneyUser,
        at now: NumericDate,
        in transaction: PostgresTransaction
    ) throws {
        let (user, password) = (creation.user.rawValue, creation.password)
        try addUser(creation, at: now, in: transaction)
        try transaction.send(
            """
            INSERT INTO password (user_id, hash, salt, memory_kibibytes, passes, lanes, failures, closed_until)
            VALUES ($1, $2, $3, $4, $5, $6, 0, 0)
            """,
            .text(user), .bytes(password.hash), .bytes(password.salt), .integer(password.memoryKibibytes),
            .integer(password.passes), .integer(password.lanes))
        if let profile = creation.storedProfile(at: now) { try put(profile, of: creation.user, in: transaction) }
    }

    /// Returns whether the client is still identified. The result stays valid until the transaction ends.
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

    /// Inserts a key, unless the user has as many as the limit allows.
    ///
    /// - Returns: Whether the key was inserted.
    private static func insert(_ binding: JourneyBinding, in transaction: PostgresTransaction) throws -> Bool {
        let device = binding.device
        if let limit = binding.limit {
            let count = try transaction.rows(
                "SELECT count(*) AS count FROM journey_device WHERE user_id = $1", .text(device.user.rawValue)
            ).first?.integer("count")
            guard count ?? 0 < limit else { return false }
        }
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
        return true
    }
}
