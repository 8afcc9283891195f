import GRDB
public import NightlatchRelyingParty
public import NightlatchWire

extension SQLiteStore {
    public func webhooks() async throws(RelyingPartyStoreError) -> [StoredWebhook] {
        try readOnce { database in
            try KeptStatement("SELECT \(StoredWebhook.columns) FROM webhook ORDER BY id", in: database)
                .all(read: StoredWebhook.init)
        }
    }

    public func putWebhook(
        _ webhook: Webhook, replacing revision: Int?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> WebhookChangeOutcome {
        try await write { database, now in
            let current = try Self.webhook(webhook.id, in: database)
            let count = try KeptStatement("SELECT count(*) FROM webhook", in: database).first { try $0.integer(0) } ?? 0
            let outcome = WebhookChangeOutcome(putting: webhook, replacing: revision, current: current, count: count)
            if case .stored(let new) = outcome, new != current {
                try KeptStatement("DELETE FROM webhook_subscription WHERE webhook_id = ?", in: database)
                    .run(.text(webhook.id.rawValue))
                try KeptStatement(
                    """
                    INSERT INTO webhook (id, revision, is_paused, document) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
                    SET revision = excluded.revision, is_paused = excluded.is_paused, document = excluded.document
                    """, in: database
                ).run(
                    .text(webhook.id.rawValue), .integer(new.revision), .integer(webhook.pause == nil ? 0 : 1),
                    .text(new.document))
                for kind in webhook.subscriptions {
                    try KeptStatement(
                        "INSERT INTO webhook_subscription (kind, webhook_id) VALUES (?, ?)", in: database
                    ).run(.text(kind), .text(webhook.id.rawValue))
                }
                let event = AuditEvent(put: webhook, replacing: current?.webhook, by: actor)
                try append(event, at: now, in: database)
            }
            return outcome
        }
    }

    public func removeWebhook(_ id: WebhookID, by actor: ActingParty) async throws(RelyingPartyStoreError) -> Bool {
        try await write { database, now in
            guard try Self.webhook(id, in: database) != nil else { return false }
            for statement in [
                "DELETE FROM webhook_delivery WHERE webhook_id = ? AND died_at IS NULL",
                "DELETE FROM webhook_delivery WHERE webhook_id = ? AND died_at IS NOT NULL",
                "DELETE FROM webhook_subscription WHERE webhook_id = ?", "DELETE FROM webhook WHERE id = ?",
            ] {
                try KeptStatement(statement, in: database).run(.text(id.rawValue))
            }
            try append(AuditEvent(.webhookRemoved, of: id, by: actor), at: now, in: database)
            return true
        }
    }

    public func testWebhook(_ id: WebhookID, by actor: ActingParty) async throws(RelyingPartyStoreError) -> Bool {
        try await write { database, now in
            guard try Self.webhook(id, in: database) != nil else { return false }
            try append(AuditEvent(.webhookTested, of: id, by: actor), at: now, in: database)
            return true
        }
    }

    static func webhook(_ id: WebhookID, in database: Database) throws -> StoredWebhook? {
        try KeptStatement("SELECT \(StoredWebhook.columns) FROM webhook WHERE id = ?", in: database)
            .first(.text(id.rawValue), read: StoredWebhook.init)
    }

    /// Adds a delivery of an event for each webhook that subscribes to its kind, in the transaction of the event.
    ///
    /// Without webhooks this reads the root page of an empty table.
    func addDeliveries(of event: AuditEvent, in row: AuditRow, in database: Database) throws {
        // A test is for one webhook, whatever it subscribes to.
        let test = event.kind == .webhookTested ? event.webhook : nil
        let source =
            test == nil
            ? "SELECT webhook_id, ?1, ?2, ?3, ?4, ?4 FROM webhook_subscription WHERE kind IN (?5, '\(Webhook.allKinds)')"
            : "SELECT id, ?1, ?2, ?3, ?4, ?4 FROM webhook WHERE id = ?5"
        try KeptStatement(
            "INSERT INTO webhook_delivery (webhook_id, order_name, chain, sequence, created_at, due_at) " + source,
            in: database
        ).run(
            .text(event.deliveryOrder(at: row.place)), .text(row.place.chain), .integer(row.place.sequence),
            .integer(row.at.secondsSince1970), .text(test?.rawValue ?? event.kind.rawValue))
    }
}

extension StoredWebhook {
    /// The columns for ``init(_:)``, in its order.
    static let columns = "id, revision, document"

    init(_ row: KeptRow) throws(RelyingPartyStoreError) {
        self.init(webhook: try row.json(2), revision: try row.integer(1))
        guard webhook.id == (try row.identifier(0)) else { throw RelyingPartyStoreError(.corrupt) }
    }
}
