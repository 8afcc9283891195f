extension PostgresMigration {
    // Without a fixed set of names in `scopes`: a newer version may know more scopes.
    static let apiKeys = [
        """
        CREATE TABLE api_key (
            id text COLLATE "C" PRIMARY KEY,
            name text COLLATE "C" NOT NULL,
            scopes text NOT NULL,
            hash bytea NOT NULL,
            created_at bigint NOT NULL,
            expires_at bigint,
            created_by text COLLATE "C",
            revoked_at bigint
        )
        """,
        "CREATE UNIQUE INDEX api_key_by_name ON api_key (name) WHERE revoked_at IS NULL",
        "CREATE INDEX api_key_by_revocation ON api_key (revoked_at) WHERE revoked_at IS NOT NULL",
    ]
}
