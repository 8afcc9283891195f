import GRDB
public import NightlatchRelyingParty
import NightlatchWire

extension SQLiteStore {
    public func acceptRestore() async throws(RelyingPartyStoreError) -> RestoreEffects {
        try await write { database, now in
            func count(_ statement: String) throws -> Int {
                try database.execute(sql: statement)
                return database.changesCount
            }
            var effects = RestoreEffects()
            effects.logins = try count(
                """
                UPDATE device SET family_id = NULL, current_hash = NULL, previous_hash = NULL, family_expires_at = NULL,
                authenticated_at = NULL, user_verification = NULL WHERE family_id IS NOT NULL
                """)
            effects.appGrants = try count("DELETE FROM app_grant") + count("DELETE FROM authorization_code")
            effects.journeySessions = try count("DELETE FROM journey_session")
            effects.enrolmentCodes = try count("DELETE FROM enrolment_code WHERE used_by_key_id IS NULL")
            effects.remoteLogins = try count("DELETE FROM remote_login WHERE state IN ('pending', 'confirmed')")
            let revoked = try KeptStatement("SELECT id, name FROM api_key WHERE revoked_at IS NULL", in: database)
                .all { row in
                    AuditEvent(
                        revokedKey: try row.identifier(0), APIKeyName(rawValue: try row.text(1)), by: .operator)
                }
            effects.apiKeys = revoked.count
            try database.execute(
                sql: "UPDATE api_key SET revoked_at = ? WHERE revoked_at IS NULL", arguments: [now.secondsSince1970])
            for event in revoked { try append(event, at: now, in: database) }
            effects.twoPartyPins =
                try KeptStatement("SELECT count(*) FROM pin_hardening", in: database).first { try $0.integer(0) } ?? 0
            _ = try count("UPDATE user SET journey_generation = journey_generation + 1")
            let pending = try KeptStatement(
                "SELECT id FROM user_transaction WHERE ended_as IS NULL AND expires_at >= ?", in: database
            ).all(.integer(now.secondsSince1970)) { try $0.identifier(0) as TransactionID }
            for id in pending { _ = try void(id, by: .operator, at: now, in: database) }
            effects.transactions = pending.count
            let revisions = try KeptStatement("SELECT min(revision), max(revision) FROM policy", in: database)
                .first { row in (row.optionalInteger(0), row.optionalInteger(1)) }
            if case (let least?, let greatest?)? = revisions, let least = PolicyRevision(rawValue: least),
                let greatest = PolicyRevision(rawValue: greatest)
            {
                let renewal = PolicyRevision.renewal(of: least...greatest, at: now)
                effects.policies = try count("UPDATE policy SET revision = revision + \(renewal)")
            }
            try append(AuditEvent(.restoreAccepted, by: .operator), at: now, in: database)
            return effects
        }
    }
}
