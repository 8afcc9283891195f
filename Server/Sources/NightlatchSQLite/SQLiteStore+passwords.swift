import Foundation
import GRDB
public import NightlatchRelyingParty
public import NightlatchWire

extension SQLiteStore {
    public func setPassword(
        _ password: StoredPassword, of user: UserID, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) {
        try await write { database, now in
            try Self.addUser(user, at: now, in: database)
            try Self.put(password, of: user, in: database)
            try Self.deleteUnusedCodes(of: user, in: database)
            try append(AuditEvent(.passwordSet, by: actor, user: user), at: now, in: database)
            _ = try endSessions(of: user, by: actor, at: now, in: database)
        }
    }

    public func chargePasswordAttempt(of user: UserID) async throws(RelyingPartyStoreError) -> StoredPassword? {
        try await StoreMetrics.measure { () async throws(RelyingPartyStoreError) in
            // A request for an unknown user takes no write lock.
            let isKnown = try readOnce(measuredAs: nil) { try Self.password(of: user, in: $0) != nil }
            guard isKnown else { return nil }
            return try await write(measuredAs: nil) { database, now in
                guard let (password, known) = try Self.password(of: user, in: database) else { return nil }
                var throttle = known
                let isCharged = throttle.charge(at: now)
                if throttle != known {
                    try database.execute(
                        sql: "UPDATE password SET failures = ?, closed_until = ? WHERE user_id = ?",
                        arguments: [throttle.failures, throttle.closedUntil.secondsSince1970, user.rawValue])
                }
                return isCharged ? password : nil
            }
        }
    }

    public func takeBackPasswordAttempt(
        _ password: StoredPassword, of user: UserID
    ) async throws(RelyingPartyStoreError) {
        try await write { database in
            try database.execute(
                sql: """
                    UPDATE password SET failures = failures - 1
                    WHERE user_id = ? AND hash = ? AND salt = ? AND failures > 0
                    """,
                arguments: [user.rawValue, Data(password.hash), Data(password.salt)])
        }
    }

    @discardableResult
    public func acceptPassword(
        _ password: StoredPassword,
        raisedTo raised: StoredPassword?,
        of user: UserID
    ) async throws(RelyingPartyStoreError) -> Bool {
        let new = raised ?? password
        return try await write { database in
            try database.execute(
                sql: """
                    UPDATE password SET hash = ?, salt = ?, memory_kibibytes = ?, passes = ?, lanes = ?, imported = ?,
                        failures = 0, closed_until = 0
                    WHERE user_id = ? AND hash = ? AND salt = ?
                    """,
                arguments: [
                    Data(new.hash), Data(new.salt), new.memoryKibibytes, new.passes, new.lanes, new.imported?.text,
                    user.rawValue, Data(password.hash), Data(password.salt),
                ])
            return database.changesCount == 1
        }
    }

    /// Sets the password of a user who exists, with no wrong attempts.
    static func put(_ password: StoredPassword, of user: UserID, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO password
                    (user_id, hash, salt, memory_kibibytes, passes, lanes, imported, failures, closed_until)
                VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0)
                """,
            arguments: [
                user.rawValue, Data(password.hash), Data(password.salt), password.memoryKibibytes, password.passes,
                password.lanes, password.imported?.text,
            ])
    }

    static func deleteUnusedCodes(of user: UserID, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM enrolment_code WHERE user_id = ? AND used_by_key_id IS NULL",
            arguments: [user.rawValue])
    }

    static func password(
        of user: UserID,
        in database: Database
    ) throws -> (StoredPassword, PasswordThrottle)? {
        try KeptStatement(
            """
            SELECT hash, salt, memory_kibibytes, passes, lanes, failures, closed_until, imported FROM password
            WHERE user_id = ?
            """, in: database
        ).first(.text(user.rawValue)) { row in
            (
                try StoredPassword(
                    hash: try row.blob(0), salt: try row.blob(1), memoryKibibytes: try row.integer(2),
                    passes: try row.integer(3), lanes: try row.integer(4), importedText: row.optionalText(7)),
                PasswordThrottle(failures: try row.integer(5), closedUntil: try row.date(6))
            )
        }
    }
}
