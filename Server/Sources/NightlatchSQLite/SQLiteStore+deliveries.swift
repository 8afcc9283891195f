import GRDB
public import NightlatchRelyingParty
public import NightlatchWire

extension SQLiteStore {
    public func dueWebhooks() async throws(RelyingPartyStoreError) -> [WebhookID] {
        let now = clock.now()
        let ahead = now + WebhookRetry.ceiling
        return try readOnce { database in
            try KeptStatement(
                """
                SELECT id FROM webhook WHERE is_paused = 0 AND (EXISTS (SELECT 1 FROM webhook_delivery
                WHERE webhook_id = webhook.id AND died_at IS NULL AND due_at <= ?)
                OR EXISTS (SELECT 1 FROM webhook_delivery
                WHERE webhook_id = webhook.id AND died_at IS NULL AND due_at > ?)) ORDER BY id
                """, in: database
            ).all(.integer(now.secondsSince1970), .integer(ahead.secondsSince1970)) { try $0.identifier(0) }
        }
    }

    public func claimDeliveries(
        of id: WebhookID, limit: Int, lease: Duration
    ) async throws(RelyingPartyStoreError) -> WebhookClaim? {
        try await write { database, now in
            guard let webhook = try Self.webhook(id, in: database), webhook.webhook.pause == nil else { return nil }
            let (key, time) = (KeptStatement.Value.text(id.rawValue), KeptStatement.Value.integer(now.secondsSince1970))
            // Times that were written while the clock was ahead.
            try KeptStatement(
                """
                UPDATE webhook_delivery SET due_at = ? WHERE id IN (SELECT id FROM webhook_delivery
                WHERE webhook_id = ? AND died_at IS NULL AND due_at > ? ORDER BY due_at, id LIMIT \(Self.cutLimit))
                """, in: database
            ).run(time, key, .integer((now + WebhookRetry.ceiling).secondsSince1970))
            // The first delivery of each order that has a due delivery.
            let first = try KeptStatement(
                """
                SELECT DISTINCT (SELECT min(id) FROM webhook_delivery WHERE order_name = due.order_name
                    AND webhook_id = due.webhook_id AND died_at IS NULL) AS first
                FROM (SELECT order_name, webhook_id FROM webhook_delivery
                    WHERE webhook_id = ? AND died_at IS NULL AND due_at <= ? ORDER BY due_at, id LIMIT ?) AS due
                ORDER BY first
                """, in: database
            ).all(key, time, .integer(limit)) { try $0.integer(0) }
            var claimed: [WebhookClaim.Claimed] = []
            for number in first {
                let claim = try KeptStatement(
                    """
                    UPDATE webhook_delivery SET attempts = attempts + 1, due_at = ? WHERE id = ? AND due_at <= ?
                    RETURNING \(WebhookDelivery.columns)
                    """, in: database
                ).all(
                    .integer((now + lease).secondsSince1970), .integer(number), time, read: WebhookDelivery.init)
                for delivery in claim {
                    claimed.append(
                        WebhookClaim.Claimed(delivery: delivery, row: try Self.row(at: delivery.place, in: database)))
                }
            }
            // Deliveries that wait for an earlier one of their order are not read again until that is due.
            try KeptStatement(
                """
                UPDATE webhook_delivery SET due_at = (SELECT due_at FROM webhook_delivery AS first
                    WHERE first.order_name = webhook_delivery.order_name
                    AND first.webhook_id = webhook_delivery.webhook_id AND first.died_at IS NULL ORDER BY first.id LIMIT 1)
                WHERE id IN (SELECT id FROM webhook_delivery
                    WHERE webhook_id = ? AND died_at IS NULL AND due_at <= ? ORDER BY due_at, id LIMIT ?)
                """, in: database
            ).run(key, time, .integer(limit))
            return claimed.isEmpty && database.changesCount == 0
                ? nil : WebhookClaim(webhook: webhook, deliveries: claimed)
        }
    }

    /// The largest number of times that a claim corrects.
    private static let cutLimit = 500

    private static func row(at place: AuditPlace, in database: Database) throws -> AuditRow? {
        try KeptStatement(
            "SELECT \(AuditRow.columns) FROM audit_entry WHERE chain = ? AND sequence = ?", in: database
        ).first(.text(place.chain), .integer(place.sequence), read: AuditRow.init)
    }

    public func finishDelivery(
        _ delivery: WebhookDelivery, _ result: WebhookResult
    ) async throws(RelyingPartyStoreError) -> Bool {
        try await write { database, now in
            let number = KeptStatement.Value.integer(delivery.number)
            let order = try KeptStatement("SELECT order_name FROM webhook_delivery WHERE id = ?", in: database)
                .first(number) { try $0.text(0) }
            guard let order else { return false }
            switch result {
            case .delivered:
                try KeptStatement("DELETE FROM webhook_delivery WHERE id = ?", in: database).run(number)
            case .failed(let failure, let wait):
                let end = (now + (wait ?? .zero)).secondsSince1970
                try KeptStatement(
                    """
                    UPDATE webhook_delivery SET failure = ?, \(wait == nil ? "died_at" : "due_at") = ?,
                    attempts = attempts - ? WHERE id = ? AND attempts = ? AND died_at IS NULL
                    """, in: database
                ).run(
                    .text(failure.rawValue), .integer(end), .integer(failure.isAttempt ? 0 : 1), number, .integer(delivery.attempts))
            }
            guard database.changesCount > 0 else { return false }
            if case .failed(_, .some) = result { return true }
            try Self.release(order, of: delivery.webhook, at: now, in: database)
            return true
        }
    }

    /// Makes the next delivery of an order due, after the one before it has ended.
    private static func release(
        _ order: String, of webhook: WebhookID, at now: NumericDate, in database: Database
    ) throws {
        try KeptStatement(
            """
            UPDATE webhook_delivery SET due_at = min(due_at, ?) WHERE attempts = 0 AND id = (
            SELECT min(id) FROM webhook_delivery WHERE order_name = ? AND webhook_id = ? AND died_at IS NULL)
            """, in: database
        ).run(.integer(now.secondsSince1970), .text(order), .text(webhook.rawValue))
    }

    public func deliveries(
        of id: WebhookID, areDead: Bool, after number: Int?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [WebhookDelivery] {
        try readOnce { database in
            try KeptStatement(
                """
                SELECT \(WebhookDelivery.columns) FROM webhook_delivery
                WHERE webhook_id = ? AND died_at IS \(areDead ? "NOT NULL" : "NULL") AND id > ? ORDER BY id LIMIT ?
                """, in: database
            ).all(.text(id.rawValue), .integer(number ?? 0), .integer(limit), read: WebhookDelivery.init)
        }
    }

    public func changeDeadLetters(
        _ change: DeadLetterChange, of id: WebhookID, number: Int?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> Int {
        try await write { database, now in
            let own = [KeptStatement.Value.text(id.rawValue)] + (number.map { [.integer($0)] } ?? [])
            let condition = "webhook_id = ? \(number == nil ? "" : "AND id = ?")"
            func count(of statement: String, _ values: [KeptStatement.Value]) throws -> Int {
                try KeptStatement(statement, in: database).run(values: values)
                return database.changesCount
            }
            let (time, end) = (now.secondsSince1970, (now + WebhookRetry.shortWait).secondsSince1970)
            var changed: Int
            switch change {
            case .redeliver:
                changed = try count(
                    of: """
                        UPDATE webhook_delivery SET due_at = ?
                        WHERE \(condition) AND died_at IS NULL AND failure IS NOT NULL AND due_at > ?
                        """, [.integer(time)] + own + [.integer(end)])
                changed += try count(
                    of: """
                        UPDATE webhook_delivery SET died_at = NULL, attempts = 0, due_at = ?
                        WHERE \(condition) AND died_at IS NOT NULL
                        """, [.integer(time)] + own)
            case .discard:
                let order = try number.flatMap { number in
                    try KeptStatement(
                        "SELECT order_name FROM webhook_delivery WHERE id = ? AND died_at IS NULL", in: database
                    ).first(.integer(number)) { try $0.text(0) }
                }
                let isWaiting = order != nil
                changed = try count(
                    of: "DELETE FROM webhook_delivery WHERE \(condition) \(isWaiting ? "" : "AND died_at IS NOT NULL")", own)
                if changed > 0, let order { try Self.release(order, of: id, at: now, in: database) }
            }
            if changed > 0 {
                try append(AuditEvent(change.event, of: id, count: changed, by: actor), at: now, in: database)
            }
            return changed
        }
    }

    public func webhookFigures(of id: WebhookID) async throws(RelyingPartyStoreError) -> WebhookFigures {
        try read { database in
            func count(_ condition: String) throws -> Int {
                try KeptStatement(
                    """
                    SELECT count(*) FROM (SELECT 1 FROM webhook_delivery WHERE webhook_id = ? AND died_at IS \(condition)
                    LIMIT \(WebhookFigures.countLimit))
                    """, in: database
                ).first(.text(id.rawValue)) { try $0.integer(0) } ?? 0
            }
            let oldest = try KeptStatement(
                """
                SELECT created_at FROM webhook_delivery
                WHERE webhook_id = ? AND died_at IS NULL ORDER BY id LIMIT 1
                """, in: database
            ).first(.text(id.rawValue)) { try $0.date(0) }
            return WebhookFigures(waiting: try count("NULL"), dead: try count("NOT NULL"), oldest: oldest)
        }
    }
}

extension WebhookDelivery {
    /// The columns for ``init(_:)``, in its order.
    static let columns = "id, webhook_id, chain, sequence, created_at, attempts, due_at, failure, died_at"

    init(_ row: KeptRow) throws(RelyingPartyStoreError) {
        self.init(
            number: try row.integer(0), webhook: try row.identifier(1),
            place: AuditPlace(chain: try row.text(2), sequence: try row.integer(3)), createdAt: try row.date(4))
        attempts = try row.integer(5)
        dueAt = try row.date(6)
        // A later version may know more failures.
        failure = row.optionalText(7).flatMap(WebhookFailure.init(rawValue:))
        diedAt = row.optionalDate(8)
    }
}
