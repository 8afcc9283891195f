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
            try transaction.send(
                "DELETE FROM enrolment_code WHERE user_id = $1 AND used_by_key_id IS NULL", .text(user.rawValue))
            try Self.addUser(user, at: transaction.now(), in: transaction)
            try transaction.send(
                """
                INSERT INTO password (user_id, hash, salt, memory_kibibytes, passes, lanes, failures, closed_until)
                VALUES ($1, $2, $3, $4, $5, $6, 0, 0)
                ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, salt = excluded.salt,
                memory_kibibytes = excluded.memory_kibibytes, passes = excluded.passes, lanes = excluded.lanes,
                failures = 0, closed_until = 0
                """,
                .text(user.rawValue), .bytes(password.hash), .bytes(password.salt), .integer(password.memoryKibibytes),
                .integer(password.passes), .integer(password.lanes))
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

    public func acceptPassword(
        _ password: StoredPassword,
        raisedTo raised: StoredPassword?,
        of user: UserID
    ) async throws(RelyingPartyStoreError) {
        let new = raised ?? password
        try await write { transaction in
            _ = try transaction.send(
                """
                UPDATE password SET hash = $1, salt = $2, memory_kibibytes = $3, passes = $4, lanes = $5, failures = 0,
                closed_until = 0
                WHERE user_id = $6 AND hash = $7 AND salt = $8
                """,
                .bytes(new.hash), .bytes(new.salt), .integer(new.memoryKibibytes), .integer(new.passes),
                .integer(new.lanes), .text(user.rawValue), .bytes(password.hash), .bytes(password.salt))
        }
    }
}

/// A stored password with its count of failed attempts.
private struct PasswordRow {
    let password: StoredPassword
    let throttle: PasswordThrottle

    /// Returns nil if `user` has no password.
    init?(of user: UserID, lock: String, in transaction: PostgresTransaction) throws {
        let row = try transaction.rows(
            """
            SELECT hash, salt, memory_kibibytes, passes, lanes, failures, closed_until FROM password WHERE user_id = $1 \(lock)
            """,
            .text(user.rawValue)
        ).first
        guard let row else { return nil }
        password = StoredPassword(
            hash: try row.bytes("hash"), salt: try row.bytes("salt"),
            memoryKibibytes: try row.integer("memory_kibibytes"), passes: try row.integer("passes"),
            lanes: try row.integer("lanes"))
        throttle = PasswordThrottle(failures: try row.integer("failures"), closedUntil: try row.date("closed_until"))
    }

    /// Returns whether an attempt is charged, the throttle after it, and whether the throttle has changed.
    func charged(at now: NumericDate) -> (isCharged: Bool, throttle: PasswordThrottle, isChanged: Bool) {
        var throttle = throttle
        let isCharged = throttle.charge(at: now)
        return (isCharged, throttle, throttle != self.throttle)
    }
}
