extension PostgresMigration {
    static let apps = [
        """
        CREATE TABLE app (
            id text COLLATE "C" PRIMARY KEY,
            revision bigint NOT NULL,
            document text NOT NULL
        )
        """
    ]

    // `session_hash` is not a foreign key: a grant stays when its session expires.
    static let appGrants = [
        """
        CREATE TABLE authorization_code (
            code_hash bytea PRIMARY KEY,
            client_id text COLLATE "C" NOT NULL,
            session_hash bytea NOT NULL,
            content text NOT NULL,
            expires_at bigint NOT NULL,
            grant_id text COLLATE "C"
        )
        """,
        "CREATE INDEX authorization_code_by_expiry ON authorization_code (expires_at)",
        """
        CREATE TABLE app_grant (
            id text COLLATE "C" PRIMARY KEY,
            client_id text COLLATE "C" NOT NULL,
            user_id text COLLATE "C" NOT NULL REFERENCES user_account (id),
            session_hash bytea NOT NULL,
            key_id text COLLATE "C",
            outlives_session boolean NOT NULL,
            content text NOT NULL,
            generation bigint NOT NULL,
            expires_at bigint NOT NULL
        ) WITH (fillfactor = 80)
        """,
        "CREATE INDEX app_grant_by_expiry ON app_grant (expires_at)",
        "CREATE INDEX app_grant_of_session ON app_grant (session_hash)",
        "CREATE INDEX app_grant_of_user ON app_grant (user_id)",
        """
        CREATE TABLE revoked_app_token (
            id text COLLATE "C" PRIMARY KEY,
            expires_at bigint NOT NULL
        )
        """,
        "CREATE INDEX revoked_app_token_by_expiry ON revoked_app_token (expires_at)",
    ]

    static let rotatedGrants = [
        "ALTER TABLE app_grant ADD COLUMN rotated_at bigint NOT NULL DEFAULT 0",
        "CREATE INDEX app_grant_of_client ON app_grant (client_id)",
        "CREATE INDEX authorization_code_of_client ON authorization_code (client_id)",
    ]
}
