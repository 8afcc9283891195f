import Foundation
import GRDB
public import NightlatchWire

extension SQLiteStore {
    public func setPassword(_ password: StoredPassword, of user: UserID) async throws(StoreError) {
        let now = clock.now()
        try await write { database in
            try database.execute(
                sql: "INSERT INTO user (id, created_at) VALUES (?, ?) ON CONFLICT DO NOTHING",
                arguments: [user.rawValue, now.secondsSince1970])
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO password
                        (user_id, hash, salt, memory_kibibytes, passes, lanes, failures, closed_until)
                    VALUES (?, ?, ?, ?, ?, ?, 0, 0)
                    """,
                arguments: [
                    user.rawValue, Data(password.hash), Data(password.salt), password.memoryKibibytes, password.passes,
                    password.lanes,
                ])
            try append(AuditEvent(.passwordSet, by: .backend, user: user), at: now, in: database)
            _ = try endSessions(of: user, by: .backend, at: now, in: database)
        }
    }

    public func chargePasswordAttempt(of user: UserID) async throws(StoreError) -> StoredPassword? {
        // Whoever names no user gets no lock to write.
        guard try readOnce({ database in try Self.passwordRow(of: user, in: database) != nil }) else { return nil }
        let now = clock.now()
        return try await write { database in
            guard let row = try Self.passwordRow(of: user, in: database) else { return nil }
            var throttle = PasswordThrottle(
                failures: row["failures"], closedUntil: NumericDate(secondsSince1970: row["closed_until"]))
            guard throttle.charge(at: now) else { return nil }
            try database.execute(
                sql: "UPDATE password SET failures = ?, closed_until = ? WHERE user_id = ?",
                arguments: [throttle.failures, throttle.closedUntil.secondsSince1970, user.rawValue])
            return StoredPassword(row)
        }
    }

    public func acceptPassword(
        _ password: StoredPassword,
        raisedTo raised: StoredPassword?,
        of user: UserID
    ) async throws(StoreError) {
        let new = raised ?? password
        try await write { database in
            try database.execute(
                sql: """
                    UPDATE password SET hash = ?, salt = ?, memory_kibibytes = ?, passes = ?, lanes = ?, failures = 0,
                        closed_until = 0
                    WHERE user_id = ? AND hash = ? AND salt = ?
                    """,
                arguments: [
                    Data(new.hash), Data(new.salt), new.memoryKibibytes, new.passes, new.lanes, user.rawValue,
                    Data(password.hash), Data(password.salt),
                ])
        }
    }

    private static func passwordRow(of user: UserID, in database: Database) throws -> Row? {
        try Row.fetchOne(database, sql: "SELECT * FROM password WHERE user_id = ?", arguments: [user.rawValue])
    }
}

extension StoredPassword {
    fileprivate init(_ row: Row) {
        self.init(
            hash: Array(row["hash"] as Data), salt: Array(row["salt"] as Data),
            memoryKibibytes: row["memory_kibibytes"],
            passes: row["passes"], lanes: row["lanes"])
    }
}
