public import NightlatchRelyingParty
public import NightlatchWire

extension PostgresStore {
    public func webhooks() async throws(RelyingPartyStoreError) -> [StoredWebhook] {
        try await read { transaction in
            try transaction.rows("SELECT \(StoredWebhook.columns) FROM webhook ORDER BY id").map(StoredWebhook.init)
        }
    }

    public func putWebhook(
        _ webhook: Webhook, replacing revision: Int?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> WebhookChangeOutcome {
        try await write { transaction in
            // Locks the table, because the limit applies to the number of all rows. Readers and claims are not blocked.
            try transaction.send("LOCK TABLE webhook IN SHARE ROW EXCLUSIVE MODE")
            let id = PostgresValue.text(webhook.id.rawValue)
            let rows = try transaction.send("SELECT \(StoredWebhook.columns) FROM webhook WHERE id = $1", id)
            let counts = try transaction.send("SELECT count(*) AS count FROM webhook")
            let current = try rows.rows().first.map(StoredWebhook.init)
            let count = try counts.rows().first?.integer("count") ?? 0
            let outcome = WebhookChangeOutcome(putting: webhook, replacing: revision, current: current, count: count)
            if case .stored(let new) = outcome, new != current {
                try transaction.send("DELETE FROM webhook_subscription WHERE webhook_id = $1", id)
                try transaction.send(
                    """
                    INSERT INTO webhook (id, revision, is_paused, document) VALUES ($1, $2, $3, $4)
                    ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, is_paused = excluded.is_paused,
                    document = excluded.document
                    """,
                    id, .integer(new.revision), .integer(webhook.pause == nil ? 0 : 1), .text(new.document))
                for kind in webhook.subscriptions {
                    try transaction.send(
                        "INSERT INTO webhook_subscription (kind, webhook_id) VALUES ($1, $2)", .text(kind), id)
                }
                try transaction.append(AuditEvent(put: webhook, replacing: current?.webhook, by: actor))
            }
            return outcome
        }
    }

    public func removeWebhook(_ id: WebhookID, by actor: ActingParty) async throws(RelyingPartyStoreError) -> Bool {
        try await writePatiently { transaction in
            // The same locks in the same order as `putWebhook`, so that the two do not wait for each other.
            try transaction.send("LOCK TABLE webhook IN SHARE ROW EXCLUSIVE MODE")
            guard try Self.lockWebhook(id, in: transaction) != nil else { return false }
            // A verb that has not committed yet may add another delivery. `purgeExpired` deletes that one.
            for statement in [
                "DELETE FROM webhook_delivery WHERE webhook_id = $1",
                "DELETE FROM webhook_subscription WHERE webhook_id = $1", "DELETE FROM webhook WHERE id = $1",
            ] {
                try transaction.send(statement, .text(id.rawValue))
            }
            try transaction.append(AuditEvent(.webhookRemoved, of: id, by: actor))
            return true
        }
    }

    public func testWebhook(_ id: WebhookID, by actor: ActingParty) async throws(RelyingPartyStoreError) -> Bool {
        try await write { transaction in
            guard try Self.lockWebhook(id, in: transaction) != nil else { return false }
            try transaction.append(AuditEvent(.webhookTested, of: id, by: actor))
            return true
        }
    }

    /// Locks and reads a webhook. Claims and results of the webhook take turns by this lock; verbs that add deliveries
    /// do not take it.
    static func lockWebhook(
        _ id: WebhookID, orSkip isSkipping: Bool = false, in transaction: PostgresTransaction
    ) throws -> StoredWebhook? {
        try transaction.rows(
            """
            SELECT \(StoredWebhook.columns) FROM webhook WHERE id = $1 FOR NO KEY UPDATE\(isSkipping ? " SKIP LOCKED" : "")
            """, .text(id.rawValue)
        ).first.map(StoredWebhook.init)
    }
}

extension StoredWebhook {
    /// The columns for ``init(_:)``.
    static let columns = "id, revision, document"

    init(_ row: PostgresRow) throws(RelyingPartyStoreError) {
        self.init(webhook: try row.json("document"), revision: try row.integer("revision"))
        guard webhook.id == (try row.identifier("id")) else { throw RelyingPartyStoreError(.corrupt) }
    }
}
