extension SQLiteMigration {
    // `journey_session.device_id` has no foreign key: a user may remove the device that began the current session, and
    // the session continues.
    static let journeys = """
        CREATE TABLE journey_device (
            id TEXT PRIMARY KEY,
            user_id TEXT NOT NULL REFERENCES user(id),
            application TEXT NOT NULL,
            key_id TEXT NOT NULL UNIQUE,
            key TEXT NOT NULL,
            algorithm TEXT NOT NULL,
            machine TEXT NOT NULL,
            name TEXT NOT NULL,
            bound_at INTEGER NOT NULL,
            last_access_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX journey_device_of_user ON journey_device(user_id, bound_at, id);

        CREATE TABLE used_journey_step (
            one_time_key TEXT PRIMARY KEY,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX used_journey_step_by_expiry ON used_journey_step(expires_at);

        CREATE TABLE used_journey_message (
            message BLOB PRIMARY KEY,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX used_journey_message_by_expiry ON used_journey_message(expires_at);

        CREATE TABLE journey_session (
            token_hash BLOB PRIMARY KEY,
            user_id TEXT NOT NULL REFERENCES user(id),
            journey TEXT NOT NULL,
            device_id TEXT,
            began_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX journey_session_of_device ON journey_session(device_id) WHERE device_id IS NOT NULL;
        CREATE INDEX journey_session_by_expiry ON journey_session(expires_at);
        """

    static let operatedSessions = """
        CREATE INDEX journey_session_of_user ON journey_session(user_id, began_at);

        CREATE TABLE ended_console_session (
            id TEXT PRIMARY KEY,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX ended_console_session_by_expiry ON ended_console_session(expires_at);
        """

    static let stoppedJourneys = """
        ALTER TABLE user ADD COLUMN journey_generation INTEGER NOT NULL DEFAULT 0;
        """

    // Apps with a fixed key tag use the same `id` for many users.
    static let keysByUser = """
        CREATE TABLE journey_device_by_user (
            user_id TEXT NOT NULL REFERENCES user(id),
            id TEXT NOT NULL,
            application TEXT NOT NULL,
            key_id TEXT NOT NULL UNIQUE,
            key TEXT NOT NULL,
            algorithm TEXT NOT NULL,
            machine TEXT NOT NULL,
            name TEXT NOT NULL,
            bound_at INTEGER NOT NULL,
            last_access_at INTEGER NOT NULL,
            protection TEXT,
            PRIMARY KEY (user_id, id)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO journey_device_by_user
            (user_id, id, application, key_id, key, algorithm, machine, name, bound_at, last_access_at, protection)
            SELECT user_id, id, application, key_id, key, algorithm, machine, name, bound_at, last_access_at, protection
            FROM journey_device;
        DROP TABLE journey_device;
        ALTER TABLE journey_device_by_user RENAME TO journey_device;
        CREATE INDEX journey_device_of_user ON journey_device(user_id, bound_at, id);
        DROP INDEX journey_session_of_device;
        """

    static let signedJourneys = """
        ALTER TABLE journey_device ADD COLUMN protection TEXT;
        ALTER TABLE journey_session ADD COLUMN signed TEXT;
        """
}
