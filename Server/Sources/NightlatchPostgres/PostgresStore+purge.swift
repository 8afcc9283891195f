public import NightlatchRelyingParty
import NightlatchWire

extension PostgresStore {
    /// The maximum number of rows that one transaction deletes.
    private static let purgeBatch = 500

    public func purgeExpired(before times: PurgeTimes) async throws(RelyingPartyStoreError) {
        try await StoreMetrics.measure { () async throws(RelyingPartyStoreError) in
            if let time = times.brief {
                try await purge(before: time, "used_challenge", key: "challenge", keepingFor: ChallengeUse.retention)
                try await purge(
                    before: time, "used_journey_step", key: "one_time_key", keepingFor: ChallengeUse.retention)
                try await purge(
                    before: time, "authorization_code", key: "code_hash", keepingFor: ChallengeUse.retention)
            }
            if let limit = times.limit {
                if let life = limit.enrolmentCodeLife {
                    try await cut("enrolment_code", key: "mac", to: limit, of: life)
                }
                if let life = limit.journeySessionLife {
                    try await cut("journey_session", key: "token_hash", to: limit, of: life)
                }
            }
            guard let time = times.lasting else { return }
            try await purge(before: time, "enrolment_code", key: "mac", keepingFor: StoreRetention.enrolmentCode)
            try await purge(before: time, "used_journey_message", key: "message", keepingFor: ChallengeUse.retention)
            try await purge(before: time, "journey_session", key: "token_hash", keepingFor: .zero)
            try await purge(before: time, "ended_console_session", key: "id", keepingFor: ChallengeUse.retention)
            try await purge(before: time, "app_grant", key: "id", keepingFor: .zero)
            try await purge(before: time, "remote_login", key: "id", keepingFor: StoreRetention.remoteLogin)
            try await purge(before: time, "revoked_app_token", key: "id", keepingFor: ChallengeUse.retention)
            try await purge(before: time, "user_transaction", key: "id", keepingFor: StoreRetention.transaction)
            try await purge(
                before: time, "webhook_delivery", key: "id", column: "died_at", keepingFor: StoreRetention.deadLetter)
            try await purgeWaitingDeliveries(before: time)
        }
    }

    /// Shortens lifetimes that exceed the limit. The query uses the index by expiry, and finds rows only if the clock
    /// was ahead when they were written.
    private func cut(
        _ table: String,
        key: String,
        to limit: ExpiryLimit,
        of life: Duration
    ) async throws(RelyingPartyStoreError) {
        try await write(measuredAs: nil) { transaction in
            // Rows that another process has locked are cut the next time.
            _ = try transaction.rows(
                """
                UPDATE \(table) SET expires_at = $1 WHERE \(key) IN (
                SELECT \(key) FROM \(table) WHERE expires_at > $1 FOR UPDATE SKIP LOCKED)
                """,
                .integer(limit.end(of: life, now: try transaction.now()).secondsSince1970))
        }
    }

    /// Deletes the deliveries of removed webhooks, and those that wait too long. A verb may have added one while its
    /// webhook was removed.
    ///
    /// Finds the webhooks by one step of an index each. Numbers are nearly in the order of times, so only the first
    /// deliveries of each webhook are read.
    private func purgeWaitingDeliveries(before time: NumericDate) async throws(RelyingPartyStoreError) {
        let webhooks = try await write(measuredAs: nil) { transaction in
            try transaction.rows(
                """
                WITH RECURSIVE known (id) AS (
                    (SELECT min(webhook_id) FROM webhook_delivery WHERE died_at IS NULL)
                    UNION ALL SELECT (SELECT min(webhook_id) FROM webhook_delivery
                        WHERE webhook_id > known.id AND died_at IS NULL) FROM known WHERE known.id IS NOT NULL)
                SELECT id FROM known WHERE id IS NOT NULL
                """
            ).map { row throws(RelyingPartyStoreError) in try row.text("id") }
        }
        for webhook in webhooks {
            var count: Int
            repeat {
                count = try await write(measuredAs: nil) { transaction in
                    let end = try min(transaction.now(), time) + (.zero - StoreRetention.waitingDelivery)
                    return try transaction.rows(
                        """
                        DELETE FROM webhook_delivery WHERE id IN (SELECT id FROM (
                            SELECT id, created_at FROM webhook_delivery WHERE webhook_id = $1 AND died_at IS NULL
                            ORDER BY id LIMIT \(Self.purgeBatch)) AS oldest
                        WHERE created_at < $2 OR NOT EXISTS (SELECT 1 FROM webhook WHERE webhook.id = $1))
                        """,
                        .text(webhook), .integer(end.secondsSince1970)
                    ).affectedCount
                }
            } while count == Self.purgeBatch
        }
    }

    private func purge(
        before time: NumericDate,
        _ table: String,
        key: String,
        column: String = "expires_at",
        keepingFor retention: Duration
    ) async throws(RelyingPartyStoreError) {
        var count: Int
        repeat {
            count = try await write(measuredAs: nil) { transaction in
                // Skips rows that another process has locked: that process uses or deletes them.
                try transaction.rows(
                    """
                    DELETE FROM \(table) WHERE \(key) IN (
                    SELECT \(key) FROM \(table) WHERE \(column) < $1 LIMIT \(Self.purgeBatch) FOR UPDATE SKIP LOCKED)
                    """,
                    .integer((try min(transaction.now(), time) + (.zero - retention)).secondsSince1970)
                ).affectedCount
            }
        } while count == Self.purgeBatch
    }
}
