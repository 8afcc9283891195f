extension PostgresMigration {
    // A delivery names its event by the event's place in the audit log, so it has no personal data except the name of
    // its order, which is the user's id. It does not refer to its webhook by a foreign key: each login would then lock
    // the webhook's row. `removeWebhook` and `purgeExpired` delete the deliveries of a removed webhook.
    //
    // Rows are deleted soon after they were written, so the table is vacuumed after a fixed number of rows.
    static let webhooks = [
        """
        CREATE TABLE webhook (
            id text COLLATE "C" PRIMARY KEY,
            revision bigint NOT NULL,
            is_paused bigint NOT NULL,
            document text NOT NULL
        )
        """,
        """
        CREATE TABLE webhook_subscription (
            kind text COLLATE "C" NOT NULL,
            webhook_id text COLLATE "C" NOT NULL REFERENCES webhook (id),
            PRIMARY KEY (kind, webhook_id)
        )
        """,
        """
        CREATE TABLE webhook_delivery (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            webhook_id text COLLATE "C" NOT NULL,
            order_name text COLLATE "C" NOT NULL,
            chain text COLLATE "C" NOT NULL,
            sequence bigint NOT NULL,
            created_at bigint NOT NULL,
            due_at bigint NOT NULL,
            attempts bigint NOT NULL DEFAULT 0,
            failure text,
            died_at bigint
        ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
            autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000)
        """,
        """
        CREATE INDEX webhook_delivery_in_order ON webhook_delivery (order_name, webhook_id, id) WHERE died_at IS NULL
        """,
        "CREATE INDEX webhook_delivery_by_time ON webhook_delivery (webhook_id, due_at, id) WHERE died_at IS NULL",
        "CREATE INDEX webhook_delivery_by_number ON webhook_delivery (webhook_id, id) WHERE died_at IS NULL",
        "CREATE INDEX dead_webhook_delivery ON webhook_delivery (webhook_id, id) WHERE died_at IS NOT NULL",
        "CREATE INDEX dead_webhook_delivery_in_order ON webhook_delivery (order_name, id) WHERE died_at IS NOT NULL",
    ]
}
