extension SQLiteMigration {
    // Without a fixed set of names in `scopes`: a newer version may know more scopes.
    static let apiKeys = """
        CREATE TABLE api_key (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            scopes TEXT NOT NULL,
            hash BLOB NOT NULL,
            created_at INTEGER NOT NULL,
            expires_at INTEGER,
            created_by TEXT,
            revoked_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX api_key_by_name ON api_key(name) WHERE revoked_at IS NULL;
        CREATE INDEX api_key_by_revocation ON api_key(revoked_at) WHERE revoked_at IS NOT NULL;
        """
}
