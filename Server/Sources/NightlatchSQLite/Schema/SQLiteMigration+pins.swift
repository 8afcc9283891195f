extension SQLiteMigration {
    static let pinHardening = """
        CREATE TABLE pin_hardening (
            device_id TEXT PRIMARY KEY REFERENCES device(id),
            state BLOB NOT NULL,
            exhausted_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX exhausted_pin_hardening ON pin_hardening(exhausted_at) WHERE exhausted_at IS NOT NULL;
        """
}
