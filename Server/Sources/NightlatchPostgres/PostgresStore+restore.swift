public import NightlatchRelyingParty
import NightlatchWire

extension PostgresStore {
    public func acceptRestore() async throws(RelyingPartyStoreError) -> RestoreEffects {
        try await writePatiently { transaction in
            func count(_ statement: String) throws -> Int { try transaction.rows(statement).affectedCount }
            var effects = RestoreEffects()
            effects.logins = try count("DELETE FROM refresh_family")
            effects.appGrants = try count("DELETE FROM app_grant") + count("DELETE FROM authorization_code")
            effects.journeySessions = try count("DELETE FROM journey_session")
            effects.enrolmentCodes = try count("DELETE FROM enrolment_code WHERE used_by_key_id IS NULL")
            effects.remoteLogins = try count("DELETE FROM remote_login WHERE state IN ('pending', 'confirmed')")
            let revoked = try transaction.rows(
                "UPDATE api_key SET revoked_at = $1 WHERE revoked_at IS NULL RETURNING id, name",
                .integer(try transaction.now().secondsSince1970)
            ).map { row throws(RelyingPartyStoreError) in
                AuditEvent(
                    revokedKey: try row.identifier("id"), APIKeyName(rawValue: try row.text("name")), by: .operator)
            }
            effects.apiKeys = revoked.count
            effects.twoPartyPins =
                try transaction.rows("SELECT count(*) AS count FROM pin_hardening").first?.integer("count") ?? 0
            try transaction.send("UPDATE user_account SET journey_generation = journey_generation + 1")
            for event in revoked { try transaction.append(event) }
            let pending = try transaction.rows(
                "SELECT id FROM user_transaction WHERE ended_as IS NULL AND expires_at >= $1",
                .integer(try transaction.now().secondsSince1970)
            ).map { row throws(RelyingPartyStoreError) in try row.identifier("id") as TransactionID }
            for id in pending { _ = try Self.void(id, by: .operator, in: transaction) }
            effects.transactions = pending.count
            try transaction.send(Self.lockPolicies)
            let revisions = try transaction.rows("SELECT min(revision) AS least, max(revision) AS greatest FROM policy")
            if let row = revisions.first,
                let least = try row.optionalInteger("least").flatMap(PolicyRevision.init(rawValue:)),
                let greatest = try row.optionalInteger("greatest").flatMap(PolicyRevision.init(rawValue:))
            {
                let renewal = PolicyRevision.renewal(of: least...greatest, at: try transaction.now())
                effects.policies = try count("UPDATE policy SET revision = revision + \(renewal)")
            }
            try transaction.append(AuditEvent(.restoreAccepted, by: .operator))
            return effects
        }
    }
}
