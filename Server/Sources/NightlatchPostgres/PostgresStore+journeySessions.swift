public import NightlatchRelyingParty
public import NightlatchWire

extension PostgresStore {
    public func journeySession(_ token: JourneySessionHash) async throws(RelyingPartyStoreError) -> JourneySession? {
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

    public func journeySessions(of user: UserID, limit: Int) async throws(RelyingPartyStoreError) -> [JourneySession] {
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

    public func endJourneySession(_ token: JourneySessionHash) async throws(RelyingPartyStoreError) {
        try await write { transaction in
            // The grants end also after the session has expired, because a user may sign off long after. The session
            // is deleted first: a transaction that records a grant of it holds a lock on it.
            let row = try transaction.rows(
                "DELETE FROM journey_session WHERE token_hash = $1 RETURNING \(JourneySession.columns)",
                .bytes(token.bytes)
            ).first
            try Self.endGrants(of: token, in: transaction)
            guard let session = try row.map(JourneySession.init), try transaction.now() <= session.expiresAt else {
                return
            }
            try transaction.append(AuditEvent(signedOff: session))
        }
    }

    public func endJourneySessions(
        of user: UserID,
        by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> Int {
        try await write { transaction in try Self.endSessions(of: user, by: actor, in: transaction) }
    }

    static func endSessions(
        of user: UserID,
        by actor: ActingParty,
        in transaction: PostgresTransaction
    ) throws -> Int {
        // Serialises with `recordJourneyStep`: the lock of the user's row orders the two.
        try stopJourneys(of: user, in: transaction)
        let count = try transaction.rows(
            "DELETE FROM journey_session WHERE user_id = $1 AND expires_at >= $2",
            .text(user.rawValue), .integer(transaction.now().secondsSince1970)
        ).affectedCount
        try endGrants(of: user, in: transaction)
        if count > 0 {
            try transaction.append(AuditEvent(.journeySessionsEnded, by: actor, user: user, count: count))
        }
        return count
    }
}

extension JourneySession {
    fileprivate static let columns = "user_id, journey, device_id, began_at, expires_at, signed"

    fileprivate init(_ row: PostgresRow) throws(RelyingPartyStoreError) {
        self.init(
            user: try row.identifier("user_id"), journey: try row.text("journey"),
            key: try row.optionalText("device_id") == nil ? nil : row.identifier("device_id"),
            signed: try Self.signed(row),
            beganAt: try row.date("began_at"), expiresAt: try row.date("expires_at"))
    }

    private static func signed(_ row: PostgresRow) throws(RelyingPartyStoreError) -> JourneySigned? {
        guard let text = try row.optionalText("signed") else { return nil }
        return try JourneySigned(stored: text)
    }
}
