extension PostgresMigration {
    // There is no state for an expired login: `expires_at` shows it. `requested_at` is in `details` too; the column
    // orders lists.
    static let remoteLogins = [
        """
        CREATE TABLE remote_login (
            id text COLLATE "C" PRIMARY KEY,
            user_id text COLLATE "C" NOT NULL REFERENCES user_account (id),
            details text NOT NULL,
            number text COLLATE "C",
            is_claimed boolean NOT NULL,
            state text COLLATE "C" NOT NULL
                CHECK (state IN ('pending', 'confirmed', 'rejected', 'number_wrong', 'contested', 'completed')),
            device_id text COLLATE "C" REFERENCES device (id),
            requested_at bigint NOT NULL,
            expires_at bigint NOT NULL,
            CHECK (device_id IS NOT NULL OR state IN ('pending', 'contested')),
            CHECK (device_id IS NULL OR state <> 'pending')
        ) WITH (fillfactor = 80)
        """,
        "CREATE INDEX remote_login_of_user ON remote_login (user_id, expires_at)",
        "CREATE INDEX remote_login_by_expiry ON remote_login (expires_at)",
    ]
}
