import GRDB
public import NightlatchRelyingParty
public import NightlatchWire

extension SQLiteStore {
    public func deleteUser(
        _ user: UserID, by actor: ActingParty, because reason: AuditReason
    ) async throws(RelyingPartyStoreError) -> UserDeletionOutcome {
        try await write { database, now in
            let isKnown = try KeptStatement("SELECT 1 FROM user WHERE id = ?", in: database)
                .first(.text(user.rawValue)) { _ in true }
            guard isKnown == true else { return .noSuchUser }
            var deletion = UserDeletion()
            try Self.deleteRecords(of: user, counting: &deletion, in: database)
            deletion.erasedEntries = try Self.count(
                "UPDATE audit_entry SET personal = NULL, user_id = ? WHERE user_id = ? AND personal IS NOT NULL",
                [deletion.pseudonym.rawValue, user.rawValue], in: database)
            // Each statement has an index of its own.
            for state in ["NULL", "NOT NULL"] {
                try KeptStatement(
                    "UPDATE webhook_delivery SET order_name = ? WHERE order_name = ? AND died_at IS \(state)", in: database
                ).run(.text(deletion.pseudonym.rawValue), .text(user.rawValue))
            }
            deletion.namedEntries =
                try KeptStatement("SELECT count(*) FROM audit_entry WHERE user_id = ?", in: database)
                .first(.text(user.rawValue)) { try $0.integer(0) } ?? 0
            try append(AuditEvent(deleted: deletion, by: actor, because: reason), at: now, in: database)
            return .deleted(deletion)
        }
    }

    /// Deletes the rows of all tables but the audit log. Each table comes before those that it refers to.
    private static func deleteRecords(
        of user: UserID, counting deletion: inout UserDeletion, in database: Database
    ) throws {
        let (id, devices) = (user.rawValue, "IN (\(devicesOfUser))")
        func delete(_ condition: String, _ parameterCount: Int = 1) throws -> Int {
            try count("DELETE FROM " + condition, Array(repeating: id, count: parameterCount), in: database)
        }
        _ = try delete("enrolment_code WHERE user_id = ?")
        // The device key of such a challenge is deleted too, so its message is refused without it.
        _ = try delete("used_challenge WHERE device_id \(devices)", 2)
        _ = try delete("pin_hardening WHERE device_id \(devices)", 2)
        deletion.appGrants = try delete("app_grant WHERE user_id = ?")
        _ = try delete("authorization_code WHERE json_extract(content, '$.authorization.user') = ?")
        deletion.journeySessions = try delete("journey_session WHERE user_id = ?")
        deletion.journeyKeys = try delete("journey_device WHERE user_id = ?")
        deletion.transactions = try delete("user_transaction WHERE user_id = ?")
        deletion.remoteLogins = try delete("remote_login WHERE user_id = ?")
        _ = try delete("policy WHERE kind = 'user' AND subject = ?")
        _ = try delete("console_operator WHERE user_id = ?")
        _ = try delete("user_profile WHERE user_id = ?")
        _ = try delete("password WHERE user_id = ?")
        deletion.devices = try delete("device WHERE id \(devices)", 2)
        _ = try delete("user WHERE id = ?")
    }

    /// Runs a statement, and returns the number of rows that it changed.
    private static func count(_ statement: String, _ values: [String], in database: Database) throws -> Int {
        try database.execute(sql: statement, arguments: StatementArguments(values))
        return database.changesCount
    }
}
