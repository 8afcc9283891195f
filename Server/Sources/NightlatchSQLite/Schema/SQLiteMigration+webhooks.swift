extension SQLiteMigration {
    // A delivery names its event by the event's place in the audit log, so it has no personal data except the name of
    // its order, which is the user's id. `AUTOINCREMENT`: a deleted number is never used again, so the result of a slow
    // attempt cannot be recorded for another delivery. Dead letters are in no index but their own two.
    static let webhooks = """
        CREATE TABLE webhook (
            id TEXT PRIMARY KEY,
            revision INTEGER NOT NULL,
            is_paused INTEGER NOT NULL,
            document TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE webhook_subscription (
            kind TEXT NOT NULL,
            webhook_id TEXT NOT NULL REFERENCES webhook(id),
            PRIMARY KEY (kind, webhook_id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE webhook_delivery (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            webhook_id TEXT NOT NULL,
            order_name TEXT NOT NULL,
            chain TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            due_at INTEGER NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            failure TEXT,
            died_at INTEGER
        ) STRICT;
        CREATE INDEX webhook_delivery_in_order ON webhook_delivery(order_name, webhook_id, id) WHERE died_at IS NULL;
        CREATE INDEX webhook_delivery_by_time ON webhook_delivery(webhook_id, due_at, id) WHERE died_at IS NULL;
        CREATE INDEX webhook_delivery_by_number ON webhook_delivery(webhook_id, id) WHERE died_at IS NULL;
        CREATE INDEX dead_webhook_delivery ON webhook_delivery(webhook_id, id) WHERE died_at IS NOT NULL;
        CREATE INDEX dead_webhook_delivery_in_order ON webhook_delivery(order_name, id) WHERE died_at IS NOT NULL;
        """
}
