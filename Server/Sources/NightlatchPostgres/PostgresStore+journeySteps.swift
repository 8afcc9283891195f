public import NightlatchServer
import NightlatchWire

extension PostgresStore {
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
            // Before a key that has signed is replaced.
            for signing in step.signings {
                try transaction.send(
                    "UPDATE journey_device SET last_access_at = $1 WHERE user_id = $2 AND id = $3",
                    .integer(now.secondsSince1970), .text(signing.user.rawValue), .text(signing.key.rawValue))
            }
            var replaced: [JourneyDevice] = []
            for device in step.bindings.map(\.device) {
                if let old = try Self.forget(device.id, of: device.user, keeping: step.keptSession, in: transaction) {
                    replaced.append(old)
                }
                try Self.insert(device, in: transaction)
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
            for event in step.auditEvents(replacing: replaced) { try transaction.append(event) }
            return .recorded
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
        guard !step.bindsTwice else { return .keyTaken }
        for (index, binding) in step.bindings.enumerated() {
            let device = binding.device
            guard try !isTaken(device.key.thumbprint, as: device.id, of: device.user, in: transaction) else {
                return .keyTaken
            }
            // Neither the step's own bindings count, which are not in the table yet, nor the key that this one replaces.
            let count = try transaction.rows(
                "SELECT count(*) AS count FROM journey_device WHERE user_id = $1 AND id <> $2",
                .text(device.user.rawValue), .text(device.id.rawValue)
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
}
