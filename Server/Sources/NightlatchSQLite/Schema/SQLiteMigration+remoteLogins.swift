extension SQLiteMigration {
    // There is no state for an expired login: `expires_at` shows it. `requested_at` is in `details` too; the column
    // orders lists.
    static let remoteLogins = """
        CREATE TABLE remote_login (
            id TEXT PRIMARY KEY,
            user_id TEXT NOT NULL REFERENCES user(id),
            details TEXT NOT NULL,
            number TEXT,
            is_claimed INTEGER NOT NULL,
            state TEXT NOT NULL
                CHECK (state IN ('pending', 'confirmed', 'rejected', 'number_wrong', 'contested', 'completed')),
            device_id TEXT REFERENCES device(id),
            requested_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            CHECK (device_id IS NOT NULL OR state IN ('pending', 'contested')),
            CHECK (device_id IS NULL OR state <> 'pending')
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX remote_login_of_user ON remote_login(user_id, expires_at);
        CREATE INDEX remote_login_by_expiry ON remote_login(expires_at);
        """
}
