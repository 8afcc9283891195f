public import NightlatchRelyingParty
public import NightlatchWire

extension PostgresStore {
    public func dueWebhooks() async throws(RelyingPartyStoreError) -> [WebhookID] {
        // The clock of the statement is that of `PostgresTransaction`, or the one that a test sets.
        try await read { transaction in
            let now = try transaction.now()
            return try transaction.rows(
                """
                SELECT id FROM webhook WHERE is_paused = 0 AND (EXISTS (SELECT 1 FROM webhook_delivery
                WHERE webhook_id = webhook.id AND died_at IS NULL AND due_at <= $1)
                OR EXISTS (SELECT 1 FROM webhook_delivery
                WHERE webhook_id = webhook.id AND died_at IS NULL AND due_at > $2)) ORDER BY id
                """,
                .integer(now.secondsSince1970), .integer((now + WebhookRetry.ceiling).secondsSince1970)
            ).map { row throws(RelyingPartyStoreError) in try row.identifier("id") as WebhookID }
        }
    }

    public func claimDeliveries(
        of id: WebhookID, limit: Int, lease: Duration
    ) async throws(RelyingPartyStoreError) -> WebhookClaim? {
        try await write { transaction in
            guard let webhook = try Self.lockWebhook(id, orSkip: true, in: transaction), webhook.webhook.pause == nil
            else { return nil }
            let (key, now) = (PostgresValue.text(id.rawValue), try transaction.now())
            let (time, count) = (PostgresValue.integer(now.secondsSince1970), PostgresValue.integer(limit))
            // Times that were written while the clock was ahead.
            try transaction.send(
                """
                UPDATE webhook_delivery SET due_at = $2 WHERE id IN (SELECT id FROM webhook_delivery
                WHERE webhook_id = $1 AND died_at IS NULL AND due_at > $3 ORDER BY due_at, id LIMIT \(Self.cutLimit))
                """, key, time, .integer((now + WebhookRetry.ceiling).secondsSince1970))
            // Claims the first delivery of each order that has a due delivery.
            let claimed = try transaction.send(
                """
                WITH claimed AS (UPDATE webhook_delivery SET attempts = attempts + 1, due_at = $4
                    WHERE due_at <= $2 AND id IN (SELECT (\(Self.firstOfOrder("id"))) FROM (\(Self.dueDeliveries)) AS due)
                    RETURNING \(WebhookDelivery.columns))
                SELECT claimed.*, body, hash, at, user_id, personal FROM claimed
                LEFT JOIN audit_entry ON audit_entry.chain = claimed.chain AND audit_entry.sequence = claimed.sequence
                ORDER BY id
                """,
                key, time, count, .integer((now + lease).secondsSince1970))
            // Deliveries that wait for an earlier one of their order are not read again until that is due.
            let parked = try transaction.send(
                """
                UPDATE webhook_delivery SET due_at = parked.due_at
                FROM (SELECT id, (\(Self.firstOfOrder("due_at"))) AS due_at FROM (\(Self.dueDeliveries)) AS due) AS parked
                WHERE webhook_delivery.id = parked.id
                """, key, time, count)
            let deliveries = try claimed.rows().map { row throws(RelyingPartyStoreError) in
                let delivery = try WebhookDelivery(row)
                let hasEntry = try row.optionalBytes("body") != nil
                return WebhookClaim.Claimed(delivery: delivery, row: hasEntry ? try AuditRow(row) : nil)
            }
            let isAnyParked = try parked.rows().affectedCount > 0
            return deliveries.isEmpty && !isAnyParked ? nil : WebhookClaim(webhook: webhook, deliveries: deliveries)
        }
    }

    /// The largest number of times that a claim corrects.
    private static let cutLimit = 500

    /// The due deliveries of the webhook $1 at the time $2, at most $3.
    private static let dueDeliveries = """
        SELECT id, order_name, webhook_id FROM webhook_delivery
        WHERE webhook_id = $1 AND died_at IS NULL AND due_at <= $2 ORDER BY due_at, id LIMIT $3
        """

    /// A column of the first delivery with the order of a row of `due`.
    private static func firstOfOrder(_ column: String) -> String {
        """
        SELECT first.\(column) FROM webhook_delivery AS first WHERE first.order_name = due.order_name
        AND first.webhook_id = due.webhook_id AND first.died_at IS NULL ORDER BY first.id LIMIT 1
        """
    }

    public func finishDelivery(
        _ delivery: WebhookDelivery, _ result: WebhookResult
    ) async throws(RelyingPartyStoreError) -> Bool {
        try await write { transaction in
            guard try Self.lockWebhook(delivery.webhook, in: transaction) != nil else { return false }
            let (number, now) = (PostgresValue.integer(delivery.number), try transaction.now())
            let ended: PostgresRows
            switch result {
            case .delivered:
                ended = try transaction.rows(
                    "DELETE FROM webhook_delivery WHERE id = $1 RETURNING order_name", number)
            case .failed(let failure, let wait):
                ended = try transaction.rows(
                    """
                    UPDATE webhook_delivery SET failure = $2, \(wait == nil ? "died_at" : "due_at") = $3,
                    attempts = attempts - $5 WHERE id = $1 AND attempts = $4 AND died_at IS NULL RETURNING order_name
                    """,
                    number, .text(failure.rawValue), .integer((now + (wait ?? .zero)).secondsSince1970),
                    .integer(delivery.attempts), .integer(failure.isAttempt ? 0 : 1))
            }
            guard let order = try ended.first?.text("order_name") else { return false }
            if case .failed(_, .some) = result { return true }
            try Self.release(order, of: delivery.webhook, at: now, in: transaction)
            return true
        }
    }

    /// Makes the next delivery of an order due, after the one before it has ended.
    private static func release(
        _ order: String, of webhook: WebhookID, at now: NumericDate, in transaction: PostgresTransaction
    ) throws {
        try transaction.send(
            """
            UPDATE webhook_delivery SET due_at = least(due_at, $3) WHERE attempts = 0 AND id = (
            SELECT id FROM webhook_delivery WHERE order_name = $1 AND webhook_id = $2 AND died_at IS NULL
            ORDER BY id LIMIT 1)
            """,
            .text(order), .text(webhook.rawValue), .integer(now.secondsSince1970))
    }

    public func deliveries(
        of id: WebhookID, areDead: Bool, after number: Int?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [WebhookDelivery] {
        try await read { transaction in
            try transaction.rows(
                """
                SELECT \(WebhookDelivery.columns) FROM webhook_delivery
                WHERE webhook_id = $1 AND died_at IS \(areDead ? "NOT NULL" : "NULL") AND id > $2 ORDER BY id LIMIT $3
                """,
                .text(id.rawValue), .integer(number ?? 0), .integer(limit)
            ).map(WebhookDelivery.init)
        }
    }

    public func changeDeadLetters(
        _ change: DeadLetterChange, of id: WebhookID, number: Int?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> Int {
        try await writePatiently { transaction in
            guard try Self.lockWebhook(id, in: transaction) != nil else { return 0 }
            let now = try transaction.now()
            let (key, chosen) = (PostgresValue.text(id.rawValue), PostgresValue.integer(number))
            let condition = "webhook_id = $1 AND ($2::bigint IS NULL OR id = $2) AND died_at IS"
            var count: Int
            switch change {
            case .redeliver:
                let waiting = try transaction.rows(
                    "UPDATE webhook_delivery SET due_at = $3 WHERE \(condition) NULL AND failure IS NOT NULL AND due_at > $4",
                    key, chosen, .integer(now.secondsSince1970),
                    .integer((now + WebhookRetry.shortWait).secondsSince1970))
                let dead = try transaction.rows(
                    "UPDATE webhook_delivery SET died_at = NULL, attempts = 0, due_at = $3 WHERE \(condition) NOT NULL",
                    key, chosen, .integer(now.secondsSince1970))
                count = waiting.affectedCount + dead.affectedCount
            case .discard:
                count = try transaction.rows("DELETE FROM webhook_delivery WHERE \(condition) NOT NULL", key, chosen)
                    .affectedCount
                if number != nil, count == 0 {
                    let waiting = try transaction.rows(
                        "DELETE FROM webhook_delivery WHERE \(condition) NULL RETURNING order_name", key, chosen)
                    count = waiting.affectedCount
                    if let order = try waiting.first?.text("order_name") {
                        try Self.release(order, of: id, at: now, in: transaction)
                    }
                }
            }
            if count > 0 { try transaction.append(AuditEvent(change.event, of: id, count: count, by: actor)) }
            return count
        }
    }

    public func webhookFigures(of id: WebhookID) async throws(RelyingPartyStoreError) -> WebhookFigures {
        try await read { transaction in
            func count(_ condition: String) -> String {
                """
                (SELECT count(*) FROM (SELECT 1 FROM webhook_delivery WHERE webhook_id = $1 AND died_at IS \(condition)
                LIMIT \(WebhookFigures.countLimit)) AS counted)
                """
            }
            let row = try transaction.rows(
                """
                SELECT \(count("NULL")) AS waiting, \(count("NOT NULL")) AS dead, (SELECT created_at FROM webhook_delivery
                WHERE webhook_id = $1 AND died_at IS NULL ORDER BY id LIMIT 1) AS oldest
                """, .text(id.rawValue)
            ).first
            guard let row else { return WebhookFigures() }
            return WebhookFigures(
                waiting: try row.integer("waiting"), dead: try row.integer("dead"),
                oldest: try row.optionalDate("oldest"))
        }
    }
}

extension WebhookDelivery {
    /// The columns for ``init(_:)``.
    static let columns = "id, webhook_id, chain, sequence, created_at, attempts, due_at, failure, died_at"

    init(_ row: PostgresRow) throws(RelyingPartyStoreError) {
        self.init(
            number: try row.integer("id"), webhook: try row.identifier("webhook_id"),
            place: AuditPlace(chain: try row.text("chain"), sequence: try row.integer("sequence")),
            createdAt: try row.date("created_at"))
        attempts = try row.integer("attempts")
        dueAt = try row.date("due_at")
        // A later version may know more failures.
        failure = try row.optionalText("failure").flatMap(WebhookFailure.init(rawValue:))
        diedAt = try row.optionalDate("died_at")
    }
}
