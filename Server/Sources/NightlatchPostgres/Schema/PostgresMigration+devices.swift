extension PostgresMigration {
    static let version1 = [
        """
        CREATE TABLE user_account (
            id text COLLATE "C" PRIMARY KEY,
            created_at bigint NOT NULL
        )
        """,
        """
        CREATE TABLE device (
            id text COLLATE "C" PRIMARY KEY,
            user_id text COLLATE "C" NOT NULL REFERENCES user_account (id),
            client_id text COLLATE "C" NOT NULL,
            key_id text COLLATE "C" NOT NULL UNIQUE,
            key text NOT NULL,
            possession_key_id text COLLATE "C" NOT NULL,
            name text NOT NULL,
            bound_at bigint NOT NULL,
            last_login_at bigint,
            revoked_at bigint
        ) WITH (fillfactor = 80)
        """,
        "CREATE INDEX active_device_of_user ON device (user_id, bound_at, id) WHERE revoked_at IS NULL",
        "CREATE INDEX revoked_device_of_user ON device (user_id, revoked_at, id) WHERE revoked_at IS NOT NULL",
        """
        CREATE TABLE enrolment_code (
            mac bytea PRIMARY KEY,
            user_id text COLLATE "C" NOT NULL REFERENCES user_account (id),
            expires_at bigint NOT NULL,
            used_by_key_id text COLLATE "C"
        )
        """,
        "CREATE INDEX enrolment_code_by_expiry ON enrolment_code (expires_at)",
        """
        CREATE TABLE used_challenge (
            challenge text COLLATE "C" PRIMARY KEY,
            message_hash bytea NOT NULL,
            device_id text COLLATE "C" NOT NULL REFERENCES device (id),
            expires_at bigint NOT NULL
        )
        """,
        "CREATE INDEX used_challenge_by_expiry ON used_challenge (expires_at)",
        """
        CREATE TABLE refresh_family (
            id bytea PRIMARY KEY,
            device_id text COLLATE "C" NOT NULL UNIQUE REFERENCES device (id),
            possession_key_id text COLLATE "C" NOT NULL,
            current_hash bytea NOT NULL,
            previous_hash bytea,
            expires_at bigint NOT NULL
        ) WITH (fillfactor = 80)
        """,
        "CREATE INDEX refresh_family_by_expiry ON refresh_family (expires_at)",
        """
        CREATE TABLE signing_key (
            id text COLLATE "C" PRIMARY KEY,
            box bytea NOT NULL,
            created_at bigint NOT NULL
        )
        """,
        """
        CREATE TABLE readiness (
            id bigint PRIMARY KEY CHECK (id = 1),
            checked_at bigint NOT NULL
        )
        """,
    ]

    // The algorithm is NULL for devices that were bound before, and is then read as the usual one for the kind of key.
    static let algorithms = [#"ALTER TABLE device ADD COLUMN algorithm text COLLATE "C""#]

    static let stoppedDevices = [
        """
        ALTER TABLE device
            ADD COLUMN blocked_at bigint,
            ADD COLUMN blocked_by text COLLATE "C",
            ADD COLUMN replaced_by text COLLATE "C" REFERENCES device (id),
            ADD CHECK ((blocked_by IS NULL) = (blocked_at IS NULL)),
            ADD CHECK (replaced_by IS NULL OR revoked_at IS NOT NULL)
        """
    ]
}
