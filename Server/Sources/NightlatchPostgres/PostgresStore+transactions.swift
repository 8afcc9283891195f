public import NightlatchRelyingParty
public import NightlatchWire

extension PostgresStore {
    public func createTransaction(
        _ transaction: NewTransaction
    ) async throws(RelyingPartyStoreError) -> TransactionCreation {
        try await write { database in
            // Creations for the same user take turns, so that the limit holds. If transactions with the same id are
            // created for two users at the same time, one insertion fails. Its verb runs again and finds the other
            // transaction.
            let user = try database.send(
                "SELECT 1 FROM user_account WHERE id = $1 FOR NO KEY UPDATE", .text(transaction.user.rawValue))
            try database.readClock()
            let known = try TransactionRow.select(transaction.id, in: database)
            let now = try database.now()
            if let known = try known.rows().first.map({ try RecordedTransaction($0, now: now) }) {
                return known.isSame(as: transaction) ? .created(known) : .idTaken
            }
            let expiresAt = transaction.details.expiresAt
            guard expiresAt >= now, expiresAt <= now + transaction.longestLife else { return .expiryRefused }
            let pending = try database.send(
                """
                SELECT count(*) AS count FROM user_transaction
                WHERE user_id = $1 AND ended_as IS NULL AND expires_at >= $2
                """,
                .text(transaction.user.rawValue), .integer(now.secondsSince1970))
            guard try !user.rows().isEmpty,
                try Self.isKnown(transaction.addressees, of: transaction.user, in: database)
            else { return .addresseeUnknown }
            guard try pending.rows().first?.integer("count") ?? 0 < transaction.pendingLimit else { return .tooMany }
            let created = try TransactionRow.insert(transaction, now: now, in: database)
            try database.append(AuditEvent(created: transaction))
            return .created(created)
        }
    }

    public func transaction(_ id: TransactionID) async throws(RelyingPartyStoreError) -> RecordedTransaction? {
        try await read { database in
            try database.readClock()
            let row = try TransactionRow.select(id, in: database)
            let now = try database.now()
            return try row.rows().first.map { try RecordedTransaction($0, now: now) }
        }
    }

    public func transactions(
        of user: UserID, endedLimit: Int
    ) async throws(RelyingPartyStoreError) -> [RecordedTransaction] {
        try await read { database in
            try TransactionRow.fetchAll(of: user, endedLimit: endedLimit, now: database.now(), in: database)
        }
    }

    public func voidTransaction(
        _ id: TransactionID, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> VoidingOutcome {
        try await write { database in try Self.void(id, by: actor, in: database) }
    }

    static func void(
        _ id: TransactionID, by actor: ActingParty, in database: PostgresTransaction
    ) throws -> VoidingOutcome {
        let known = try TransactionRow.lock(id, in: database)
        let now = try database.now()
        guard var found = try known.rows().first.map({ try RecordedTransaction($0, now: now) }) else {
            return .noSuchTransaction
        }
        switch found.state {
        case .voided: return .voided(found)
        case .pending:
            found.state = .voided
            found.endedAt = now
            try database.send(
                "UPDATE user_transaction SET ended_as = $1, ended_at = $2 WHERE id = $3",
                .text(found.state.rawValue), .integer(now.secondsSince1970), .text(id.rawValue))
            try database.append(AuditEvent(voided: found, by: actor))
            return .voided(found)
        case let state: return .ended(state)
        }
    }

    public func decideTransaction(
        _ decision: NewDecision,
        consuming use: ChallengeUse
    ) async throws(RelyingPartyStoreError) -> DecisionOutcome {
        try await write { database in
            // Serialises with decisions of the same device and with a revocation, then with decisions of the user's
            // other devices.
            let device = try database.send(
                "SELECT \(DeviceStop.columns) FROM device WHERE id = $1 AND user_id = $2 FOR NO KEY UPDATE",
                .text(decision.device.rawValue), .text(decision.user.rawValue))
            let known = try TransactionRow.lock(decision.transaction, in: database)
            let used = try database.send(UsedChallenge.query, .text(use.challenge.rawValue))

            let now = try database.now()
            let row = try device.rows().first
            let outcome = decision.outcome(
                on: try known.rows().first.map { try RecordedTransaction($0, now: now) },
                isDeviceKnown: row != nil, stop: try row.flatMap(DeviceStop.init), consuming: use,
                usedBy: try used.rows().first.map(UsedChallenge.init)?.message, now: now)
            if let outcome { return outcome }
            try database.send(
                """
                UPDATE user_transaction SET ended_as = $1, ended_at = $2, device_id = $3, message = $4 WHERE id = $5
                """,
                .text(decision.decision.state.rawValue), .integer(now.secondsSince1970),
                .text(decision.device.rawValue), .text(decision.message), .text(decision.transaction.rawValue))
            try UsedChallenge.insert(use, device: decision.device, in: database)
            try database.append(AuditEvent(decision))
            return .recorded(decision.decision.state)
        }
    }

    private static func isKnown(
        _ addressees: TransactionAddressees,
        of user: UserID,
        in database: PostgresTransaction
    ) throws -> Bool {
        switch addressees {
        case .allDevices: return true
        case .devices(let ids):
            let devices = try ids.map { id in
                try database.send(
                    """
                    SELECT 1 FROM device WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL AND blocked_at IS NULL
                    """,
                    .text(id.rawValue), .text(user.rawValue))
            }
            return try devices.allSatisfy { try !$0.rows().isEmpty }
        }
    }
}
