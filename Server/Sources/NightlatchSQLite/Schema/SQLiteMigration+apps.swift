extension SQLiteMigration {
    static let apps = """
        CREATE TABLE app (
            id TEXT PRIMARY KEY,
            revision INTEGER NOT NULL,
            document TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    // `session_hash` is not a foreign key: a grant stays when its session expires.
    static let appGrants = """
        CREATE TABLE authorization_code (
            code_hash BLOB PRIMARY KEY,
            client_id TEXT NOT NULL,
            session_hash BLOB NOT NULL,
            content TEXT NOT NULL,
            expires_at INTEGER NOT NULL,
            grant_id TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX authorization_code_by_expiry ON authorization_code(expires_at);

        CREATE TABLE app_grant (
            id TEXT PRIMARY KEY,
            client_id TEXT NOT NULL,
            user_id TEXT NOT NULL REFERENCES user(id),
            session_hash BLOB NOT NULL,
            key_id TEXT,
            outlives_session INTEGER NOT NULL,
            content TEXT NOT NULL,
            generation INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX app_grant_by_expiry ON app_grant(expires_at);
        CREATE INDEX app_grant_of_session ON app_grant(session_hash);
        CREATE INDEX app_grant_of_user ON app_grant(user_id);

        CREATE TABLE revoked_app_token (
            id TEXT PRIMARY KEY,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX revoked_app_token_by_expiry ON revoked_app_token(expires_at);
        """

    static let rotatedGrants = """
        ALTER TABLE app_grant ADD COLUMN rotated_at INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX app_grant_of_client ON app_grant(client_id);
        CREATE INDEX authorization_code_of_client ON authorization_code(client_id);
        """
}
