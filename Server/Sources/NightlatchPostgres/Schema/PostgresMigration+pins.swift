extension PostgresMigration {
    static let pinHardening = [
        """
        CREATE TABLE pin_hardening (
            device_id text COLLATE "C" PRIMARY KEY REFERENCES device (id),
            state bytea NOT NULL,
            exhausted_at bigint
        ) WITH (fillfactor = 80)
        """,
        """
        CREATE INDEX exhausted_pin_hardening ON pin_hardening (exhausted_at) WHERE exhausted_at IS NOT NULL
        """,
    ]
}
