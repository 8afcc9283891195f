import GRDB
public import NightlatchRelyingParty
import NightlatchWire

extension SQLiteStore {
    /// The maximum number of rows that one transaction deletes. Other verbs wait for the write lock during that time.
    private static let purgeBatch = 500

    public func purgeExpired(before times: PurgeTimes) async throws(RelyingPartyStoreError) {
        try await StoreMetrics.measure { () async throws(RelyingPartyStoreError) in
            if let brief = times.brief {
                let time = min(clock.now(), brief) + (.zero - ChallengeUse.retention)
                try await purge("used_challenge", key: "expires_at, challenge", expiredBefore: time)
                try await purge("used_journey_step", key: "one_time_key", expiredBefore: time)
                try await purge("authorization_code", key: "code_hash", expiredBefore: time)
            }
            if let limit = times.limit {
                if let life = limit.enrolmentCodeLife { try await cut("enrolment_code", to: limit, of: life) }
                if let life = limit.journeySessionLife { try await cut("journey_session", to: limit, of: life) }
            }
            guard let lasting = times.lasting else { return }
            let now = min(clock.now(), lasting)
            try await purge("enrolment_code", key: "mac", expiredBefore: now + (.zero - StoreRetention.enrolmentCode))
            try await purge(
                "used_journey_message", key: "message", expiredBefore: now + (.zero - ChallengeUse.retention))
            try await purge("journey_session", key: "token_hash", expiredBefore: now)
            try await purge("ended_console_session", key: "id", expiredBefore: now + (.zero - ChallengeUse.retention))
            try await purge("app_grant", key: "id", expiredBefore: now)
            try await purge("remote_login", key: "id", expiredBefore: now + (.zero - StoreRetention.remoteLogin))
            try await purge("revoked_app_token", key: "id", expiredBefore: now + (.zero - ChallengeUse.retention))
            try await purge(
                "user_transaction", key: "id", expiredBefore: now + (.zero - StoreRetention.transaction))
            try await purge(
                "webhook_delivery", key: "id", column: "died_at",
                expiredBefore: now + (.zero - StoreRetention.deadLetter))
            try await purgeWaitingDeliveries(createdBefore: now + (.zero - StoreRetention.waitingDelivery))
        }
    }

    /// Shortens lifetimes that exceed the limit. The query uses the index by expiry, and finds rows only if the clock
    /// was ahead when they were written.
    private func cut(_ table: String, to limit: ExpiryLimit, of life: Duration) async throws(RelyingPartyStoreError) {
        try await write(measuredAs: nil) { database, now in
            let end = limit.end(of: life, now: now).secondsSince1970
            try database.execute(
                sql: "UPDATE \(table) SET expires_at = ? WHERE expires_at > ?", arguments: [end, end])
        }
    }

    /// Deletes deliveries that wait too long. Their numbers are in the order of their times, so only the first ones of
    /// each webhook are read.
    private func purgeWaitingDeliveries(createdBefore time: NumericDate) async throws(RelyingPartyStoreError) {
        var count: Int
        repeat {
            count = try await write(measuredAs: nil) { database in
                try database.execute(
                    sql: """
                        DELETE FROM webhook_delivery WHERE id IN (
                        SELECT waiting.id FROM webhook JOIN webhook_delivery AS waiting ON waiting.id IN (
                            SELECT id FROM webhook_delivery WHERE webhook_id = webhook.id AND died_at IS NULL
                            ORDER BY id LIMIT \(Self.purgeBatch))
                        WHERE waiting.created_at < ? LIMIT \(Self.purgeBatch))
                        """,
                    arguments: [time.secondsSince1970])
                return database.changesCount
            }
        } while count == Self.purgeBatch
    }

    private func purge(
        _ table: String, key: String, column: String = "expires_at", expiredBefore time: NumericDate
    ) async throws(RelyingPartyStoreError) {
        var count: Int
        repeat {
            count = try await write(measuredAs: nil) { database in
                try database.execute(
                    sql: """
                        DELETE FROM \(table)
                        WHERE (\(key)) IN (SELECT \(key) FROM \(table) WHERE \(column) < ? LIMIT \(Self.purgeBatch))
                        """,
                    arguments: [time.secondsSince1970])
                return database.changesCount
            }
        } while count == Self.purgeBatch
    }
}
