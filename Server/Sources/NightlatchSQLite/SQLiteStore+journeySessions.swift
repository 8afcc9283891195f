import Foundation
import GRDB
public import NightlatchRelyingParty
public import NightlatchWire

extension SQLiteStore {
    public func journeySession(_ token: JourneySessionHash) async throws(RelyingPartyStoreError) -> JourneySession? {
        let now = clock.now()
        return try readOnce { database in try Self.session(token, at: now, in: database) }
    }

    public func journeySessions(of user: UserID, limit: Int) async throws(RelyingPartyStoreError) -> [JourneySession] {
        let now = clock.now()
        return try readOnce { database in
            try KeptStatement(
                """
                SELECT \(JourneySession.columns) FROM journey_session WHERE user_id = ? AND expires_at >= ?
                ORDER BY began_at DESC LIMIT ?
                """, in: database
            ).all(
                .text(user.rawValue), .integer(now.secondsSince1970), .integer(limit), read: JourneySession.init)
        }
    }

    public func endJourneySession(_ token: JourneySessionHash) async throws(RelyingPartyStoreError) {
        try await write { database, now in
            // Also after the session has expired: a user may sign off long after.
            try Self.endGrants(of: token, in: database)
            guard let session = try Self.session(token, at: now, in: database) else { return }
            try database.execute(
                sql: "DELETE FROM journey_session WHERE token_hash = ?", arguments: [Data(token.bytes)])
            try append(AuditEvent(signedOff: session), at: now, in: database)
        }
    }

    public func endJourneySessions(
        of user: UserID,
        by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> Int {
        return try await write { database, now in try endSessions(of: user, by: actor, at: now, in: database) }
    }

    func endSessions(
        of user: UserID,
        by actor: ActingParty,
        at now: NumericDate,
        in database: Database
    ) throws -> Int {
        try Self.stopJourneys(of: user, in: database)
        try database.execute(
            sql: "DELETE FROM journey_session WHERE user_id = ? AND expires_at >= ?",
            arguments: [user.rawValue, now.secondsSince1970])
        let count = database.changesCount
        try Self.endGrants(of: user, in: database)
        if count > 0 {
            try append(
                AuditEvent(.journeySessionsEnded, by: actor, user: user, count: count), at: now, in: database)
        }
        return count
    }

    /// Inserts a session that begins at `now`.
    static func insert(_ session: NewJourneySession, at now: NumericDate, in database: Database) throws {
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

    /// Ends the sessions in which `key` signed last, and their grants, except those of `session`.
    static func endSessions(
        by key: JourneyKeyID, of user: UserID, keeping session: JourneySessionHash?, in database: Database
    ) throws {
        try database.execute(
            sql: "DELETE FROM journey_session WHERE user_id = ? AND device_id = ? AND token_hash <> ?",
            arguments: [user.rawValue, key.rawValue, Data(session?.bytes ?? [])])
        try endGrants(of: user, key: key, keeping: session, in: database)
    }

    /// Whether the session of a token is live.
    static func isLive(_ token: JourneySessionHash, at now: NumericDate, in database: Database) throws -> Bool {
        try KeptStatement("SELECT 1 FROM journey_session WHERE token_hash = ? AND expires_at >= ?", in: database).first(
            .blob(token.bytes), .integer(now.secondsSince1970)
        ) { _ in true } ?? false
    }

    private static func session(
        _ token: JourneySessionHash,
        at now: NumericDate,
        in database: Database
    ) throws -> JourneySession? {
        try KeptStatement(
            "SELECT \(JourneySession.columns) FROM journey_session WHERE token_hash = ? AND expires_at >= ?",
            in: database
        ).first(.blob(token.bytes), .integer(now.secondsSince1970), read: JourneySession.init)
    }
}

extension JourneySession {
    /// The columns for ``init(_:)``, in its order.
    static let columns = "user_id, journey, device_id, began_at, expires_at, signed"

    init(_ row: KeptRow) throws(RelyingPartyStoreError) {
        self.init(
            user: try row.identifier(0), journey: try row.text(1), key: try row.optionalIdentifier(2),
            signed: try row.optionalText(5).map(JourneySigned.init(stored:)),
            beganAt: try row.date(3), expiresAt: try row.date(4))
    }
}
