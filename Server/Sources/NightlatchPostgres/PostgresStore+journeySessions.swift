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
            // The grants end even if the session has expired, because a user may sign off long afterwards. The session
            // is deleted first, because a transaction that records a grant of this session holds a lock on the
            // session's row.
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

    /// Inserts a session that begins at `now`.
    static func insert(_ session: NewJourneySession, at now: NumericDate, in transaction: PostgresTransaction) throws {
        try transaction.send(
            """
            INSERT INTO journey_session (token_hash, user_id, journey, device_id, began_at, expires_at, signed)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            .bytes(session.token.bytes), .text(session.user.rawValue), .text(session.journey),
            .text(session.key?.rawValue), .integer(now.secondsSince1970),
            .integer((now + session.life).secondsSince1970), .text(session.signed.map(\.stored)))
    }

    /// Ends the sessions in which `key` signed last, and their grants, except those of `session`. The caller has locked
    /// the user's row.
    static func endSessions(
        by key: JourneyKeyID, of user: UserID, keeping session: JourneySessionHash?, in transaction: PostgresTransaction
    ) throws {
        // The sessions are deleted first, because a transaction that records a grant of a session holds a lock on the
        // session's row.
        try transaction.send(
            "DELETE FROM journey_session WHERE user_id = $1 AND device_id = $2 AND token_hash <> $3",
            .text(user.rawValue), .text(key.rawValue), .bytes(session?.bytes ?? []))
        try endGrants(of: user, key: key, keeping: session, in: transaction)
    }
}

extension JourneySession {
    /// The columns for ``init(_:)``.
    static let columns = "user_id, journey, device_id, began_at, expires_at, signed"

    init(_ row: PostgresRow) throws(RelyingPartyStoreError) {
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
