public import NightlatchRelyingParty
public import NightlatchWire

extension PostgresStore {
    public func deleteUser(
        _ user: UserID, by actor: ActingParty, because reason: AuditReason
    ) async throws(RelyingPartyStoreError) -> UserDeletionOutcome {
        try await writePatiently { transaction in
            let id = PostgresValue.text(user.rawValue)
            // Locks the tables of policies and operators, then the password, the codes, the user and the devices, in the order of
            // most other verbs. Where a verb has another order, PostgreSQL ends one of the two, which runs again. A
            // verb that inserts a record of the user waits for the lock of the user's row, and then fails or finds no
            // user.
            try transaction.send("DELETE FROM policy WHERE kind = 'user' AND subject = $1", id)
            try transaction.send("DELETE FROM console_operator WHERE user_id = $1", id)
            try transaction.send("SELECT 1 FROM password WHERE user_id = $1 FOR UPDATE", id)
            try transaction.send("SELECT 1 FROM enrolment_code WHERE user_id = $1 FOR UPDATE", id)
            let known = try transaction.rows("SELECT 1 FROM user_account WHERE id = $1 FOR UPDATE", id)
            guard !known.isEmpty else { return .noSuchUser }
            try transaction.send("SELECT 1 FROM device WHERE id IN (\(Self.devicesOfUser)) ORDER BY id FOR UPDATE", id)
            var deletion = UserDeletion()
            try Self.deleteRecords(of: id, counting: &deletion, in: transaction)
            // The last statements see the entries and the deliveries of all verbs that held locks on the records above.
            deletion.erasedEntries = try transaction.rows(
                "UPDATE audit_entry SET personal = NULL, user_id = $1 WHERE user_id = $2 AND personal IS NOT NULL",
                .text(deletion.pseudonym.rawValue), id
            ).affectedCount
            // Each statement has an index of its own.
            for state in ["NULL", "NOT NULL"] {
                try transaction.send(
                    "UPDATE webhook_delivery SET order_name = $1 WHERE order_name = $2 AND died_at IS \(state)",
                    .text(deletion.pseudonym.rawValue), id)
            }
            deletion.namedEntries =
                try transaction.rows("SELECT count(*) AS count FROM audit_entry WHERE user_id = $1", id)
                .first?.integer("count") ?? 0
            try transaction.append(AuditEvent(deleted: deletion, by: actor, because: reason))
            return .deleted(deletion)
        }
    }

    /// Deletes the rows of all tables except the policies, the operators and the audit log. Each table comes before those that it
    /// refers to.
    private static func deleteRecords(
        of user: PostgresValue, counting deletion: inout UserDeletion, in transaction: PostgresTransaction
    ) throws {
        let devices = "IN (\(devicesOfUser))"
        func delete(_ condition: String) throws -> Int {
            try transaction.rows("DELETE FROM " + condition, user).affectedCount
        }
        _ = try delete("enrolment_code WHERE user_id = $1")
        // The device key of such a challenge is deleted too, so its message is refused without it.
        _ = try delete("used_challenge WHERE device_id \(devices)")
        _ = try delete("pin_hardening WHERE device_id \(devices)")
        _ = try delete("refresh_family WHERE device_id \(devices)")
        // Sessions before grants, as where a session ends.
        deletion.journeySessions = try delete("journey_session WHERE user_id = $1")
        deletion.appGrants = try delete("app_grant WHERE user_id = $1")
        _ = try delete("authorization_code WHERE content::json #>> '{authorization,user}' = $1")
        deletion.journeyKeys = try delete("journey_device WHERE user_id = $1")
        deletion.transactions = try delete("user_transaction WHERE user_id = $1")
        deletion.remoteLogins = try delete("remote_login WHERE user_id = $1")
        _ = try delete("user_profile WHERE user_id = $1")
        _ = try delete("password WHERE user_id = $1")
        deletion.devices = try delete("device WHERE id \(devices)")
        _ = try delete("user_account WHERE id = $1")
    }
}
