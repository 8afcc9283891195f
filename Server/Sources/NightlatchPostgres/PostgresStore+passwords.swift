public import NightlatchRelyingParty
public import NightlatchWire

extension PostgresStore {
    public func setPassword(
        _ password: StoredPassword, of user: UserID, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) {
        try await write { transaction in
            // Serialises with the creation of a code for the current password. As in a binding, codes are locked before
            // the user's row.
            try transaction.send("SELECT 1 FROM password WHERE user_id = $1 FOR UPDATE", .text(user.rawValue))
            try Self.deleteUnusedCodes(of: user, in: transaction)
            try Self.addUser(user, at: transaction.now(), in: transaction)
            try Self.put(password, of: user, in: transaction)
            try transaction.append(AuditEvent(.passwordSet, by: actor, user: user))
            _ = try Self.endSessions(of: user, by: actor, in: transaction)
        }
    }

    public func chargePasswordAttempt(of user: UserID) async throws(RelyingPartyStoreError) -> StoredPassword? {
        try await StoreMetrics.measure { () async throws(RelyingPartyStoreError) in
            // If the user is unknown or must wait, nothing is locked or written.
            let isToWrite = try await read(measuredAs: nil) { transaction in
                try PasswordRow(of: user, lock: "", in: transaction)?.charged(at: transaction.now()).isChanged == true
            }
            guard isToWrite else { return nil }
            return try await write(measuredAs: nil) { transaction in
                // Attempts for the same user take turns. The clock is read before the wait for the lock, so no attempt
                // is allowed too early.
                guard let row = try PasswordRow(of: user, lock: "FOR NO KEY UPDATE", in: transaction) else {
                    return nil
                }
                let attempt = try row.charged(at: transaction.now())
                if attempt.isChanged {
                    try transaction.send(
                        "UPDATE password SET failures = $1, closed_until = $2 WHERE user_id = $3",
                        .integer(attempt.throttle.failures), .integer(attempt.throttle.closedUntil.secondsSince1970),
                        .text(user.rawValue))
                }
                return attempt.isCharged ? row.password : nil
            }
        }
    }

    public func takeBackPasswordAttempt(
        _ password: StoredPassword, of user: UserID
    ) async throws(RelyingPartyStoreError) {
        try await write { transaction in
            _ = try transaction.send(
                """
                UPDATE password SET failures = failures - 1
                WHERE user_id = $1 AND hash = $2 AND salt = $3 AND failures > 0
                """,
                .text(user.rawValue), .bytes(password.hash), .bytes(password.salt))
        }
    }

    @discardableResult
    public func acceptPassword(
        _ password: StoredPassword,
        raisedTo raised: StoredPassword?,
        of user: UserID
    ) async throws(RelyingPartyStoreError) -> Bool {
        let new = raised ?? password
        return try await write { transaction in
            try transaction.send(
                """
                UPDATE password SET hash = $1, salt = $2, memory_kibibytes = $3, passes = $4, lanes = $5, imported = $6,
                failures = 0, closed_until = 0
                WHERE user_id = $7 AND hash = $8 AND salt = $9
                """,
                .bytes(new.hash), .bytes(new.salt), .integer(new.memoryKibibytes), .integer(new.passes),
                .integer(new.lanes), .text(new.imported?.text), .text(user.rawValue), .bytes(password.hash),
                .bytes(password.salt)
            ).rows().affectedCount == 1
        }
    }

    /// Sets the password of a user who exists, with no wrong attempts.
    static func put(_ password: StoredPassword, of user: UserID, in transaction: PostgresTransaction) throws {
        try insert(
            password, of: user,
            else: """
                ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, salt = excluded.salt,
                memory_kibibytes = excluded.memory_kibibytes, passes = excluded.passes, lanes = excluded.lanes,
                imported = excluded.imported, failures = 0, closed_until = 0
                """, in: transaction)
    }

    /// Sets the first password of a user who exists. The transaction fails, and is repeated, if another one has just
    /// set a password.
    static func putFirst(_ password: StoredPassword, of user: UserID, in transaction: PostgresTransaction) throws {
        try insert(password, of: user, else: "", in: transaction)
    }

    private static func insert(
        _ password: StoredPassword, of user: UserID, else clause: String, in transaction: PostgresTransaction
    ) throws {
        try transaction.send(
            """
            INSERT INTO password
                (user_id, hash, salt, memory_kibibytes, passes, lanes, imported, failures, closed_until)
            VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 0) \(clause)
            """,
            .text(user.rawValue), .bytes(password.hash), .bytes(password.salt), .integer(password.memoryKibibytes),
            .integer(password.passes), .integer(password.lanes), .text(password.imported?.text))
    }

    static func deleteUnusedCodes(of user: UserID, in transaction: PostgresTransaction) throws {
        try transaction.send(
            "DELETE FROM enrolment_code WHERE user_id = $1 AND used_by_key_id IS NULL", .text(user.rawValue))
    }
}

/// A stored password with its count of failed attempts.
struct PasswordRow {
    let password: StoredPassword
    let throttle: PasswordThrottle

    /// Returns nil if `user` has no password.
    init?(of user: UserID, lock: String, in transaction: PostgresTransaction) throws {
        let row = try transaction.rows(
            """
            SELECT hash, salt, memory_kibibytes, passes, lanes, imported, failures, closed_until FROM password
            WHERE user_id = $1 \(lock)
            """,
            .text(user.rawValue)
        ).first
        guard let row else { return nil }
        password = try StoredPassword(
            hash: try row.bytes("hash"), salt: try row.bytes("salt"),
            memoryKibibytes: try row.integer("memory_kibibytes"), passes: try row.integer("passes"),
            lanes: try row.integer("lanes"), importedText: try row.optionalText("imported"))
        throttle = PasswordThrottle(failures: try row.integer("failures"), closedUntil: try row.date("closed_until"))
    }

    /// Returns whether an attempt is charged, the throttle after it, and whether the throttle has changed.
    func charged(at now: NumericDate) -> (isCharged: Bool, throttle: PasswordThrottle, isChanged: Bool) {
        var throttle = throttle
        let isCharged = throttle.charge(at: now)
        return (isCharged, throttle, throttle != self.throttle)
    }
}
