extension PostgresMigration {
    // `journey_session.device_id` has no foreign key: a user may remove the device that began the current session, and
    // the session continues.
    static let journeys = [
        """
        CREATE TABLE journey_device (
            id text COLLATE "C" PRIMARY KEY,
            user_id text COLLATE "C" NOT NULL REFERENCES user_account (id),
            application text NOT NULL,
            key_id text COLLATE "C" NOT NULL UNIQUE,
            key text NOT NULL,
            algorithm text COLLATE "C" NOT NULL,
            machine text COLLATE "C" NOT NULL,
            name text NOT NULL,
            bound_at bigint NOT NULL,
            last_access_at bigint NOT NULL
        ) WITH (fillfactor = 80)
        """,
        "CREATE INDEX journey_device_of_user ON journey_device (user_id, bound_at, id)",
        """
        CREATE TABLE used_journey_step (
            one_time_key text COLLATE "C" PRIMARY KEY,
            expires_at bigint NOT NULL
        )
        """,
        "CREATE INDEX used_journey_step_by_expiry ON used_journey_step (expires_at)",
        """
        CREATE TABLE used_journey_message (
            message bytea PRIMARY KEY,
            expires_at bigint NOT NULL
        )
        """,
        "CREATE INDEX used_journey_message_by_expiry ON used_journey_message (expires_at)",
        """
        CREATE TABLE journey_session (
            token_hash bytea PRIMARY KEY,
            user_id text COLLATE "C" NOT NULL REFERENCES user_account (id),
            journey text NOT NULL,
            device_id text COLLATE "C",
            began_at bigint NOT NULL,
            expires_at bigint NOT NULL
        )
        """,
        "CREATE INDEX journey_session_of_device ON journey_session (device_id) WHERE device_id IS NOT NULL",
        "CREATE INDEX journey_session_by_expiry ON journey_session (expires_at)",
    ]

    static let operatedSessions = [
        "CREATE INDEX journey_session_of_user ON journey_session (user_id, began_at)",
        """
        CREATE TABLE ended_console_session (
            id text COLLATE "C" PRIMARY KEY,
            expires_at bigint NOT NULL
        )
        """,
        "CREATE INDEX ended_console_session_by_expiry ON ended_console_session (expires_at)",
    ]

    static let stoppedJourneys = [
        "ALTER TABLE user_account ADD COLUMN journey_generation bigint NOT NULL DEFAULT 0"
    ]

    // Apps with a fixed key tag use the same `id` for many users.
    static let keysByUser = [
        "ALTER TABLE journey_device DROP CONSTRAINT journey_device_pkey, ADD PRIMARY KEY (user_id, id)",
        "DROP INDEX journey_session_of_device",
    ]

    static let signedJourneys = [
        "ALTER TABLE journey_device ADD COLUMN protection text COLLATE \"C\"",
        "ALTER TABLE journey_session ADD COLUMN signed text",
    ]
}
