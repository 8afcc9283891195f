extension SQLiteMigration {
    static let version1 = """
        CREATE TABLE user (
            id TEXT PRIMARY KEY,
            created_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE device (
            id TEXT PRIMARY KEY,
            user_id TEXT NOT NULL REFERENCES user(id),
            client_id TEXT NOT NULL,
            key_id TEXT NOT NULL UNIQUE,
            key TEXT NOT NULL,
            possession_key_id TEXT NOT NULL,
            name TEXT NOT NULL,
            bound_at INTEGER NOT NULL,
            last_login_at INTEGER,
            revoked_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX device_of_user ON device(user_id, bound_at);

        CREATE TABLE enrolment_code (
            mac BLOB PRIMARY KEY,
            user_id TEXT NOT NULL REFERENCES user(id),
            expires_at INTEGER NOT NULL,
            used_by_key_id TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX enrolment_code_by_expiry ON enrolment_code(expires_at);

        CREATE TABLE used_challenge (
            challenge TEXT PRIMARY KEY,
            message_hash BLOB NOT NULL,
            device_id TEXT NOT NULL REFERENCES device(id),
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX used_challenge_by_expiry ON used_challenge(expires_at);

        CREATE TABLE refresh_family (
            id INTEGER PRIMARY KEY,
            device_id TEXT NOT NULL REFERENCES device(id),
            possession_key_id TEXT NOT NULL,
            current_hash BLOB NOT NULL,
            previous_hash BLOB,
            expires_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX refresh_family_of_device ON refresh_family(device_id);
        CREATE INDEX refresh_family_by_expiry ON refresh_family(expires_at);

        CREATE TABLE refresh_token (
            hash BLOB PRIMARY KEY,
            family_id INTEGER NOT NULL REFERENCES refresh_family(id) ON DELETE CASCADE,
            issued_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX refresh_token_of_family ON refresh_token(family_id);

        CREATE TABLE signing_key (
            id TEXT PRIMARY KEY,
            box BLOB NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    // Earlier refresh tokens do not begin with a family's id, so they are deleted. Their devices must log in again.
    static let version2 = """
        DROP TABLE refresh_token;
        DROP TABLE refresh_family;

        CREATE TABLE refresh_family (
            id BLOB PRIMARY KEY,
            device_id TEXT NOT NULL UNIQUE REFERENCES device(id),
            possession_key_id TEXT NOT NULL,
            current_hash BLOB NOT NULL,
            previous_hash BLOB,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX refresh_family_by_expiry ON refresh_family(expires_at);

        DROP INDEX device_of_user;
        CREATE INDEX active_device_of_user ON device(user_id, bound_at, id) WHERE revoked_at IS NULL;
        CREATE INDEX revoked_device_of_user ON device(user_id, revoked_at, id) WHERE revoked_at IS NOT NULL;

        CREATE TABLE readiness (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            checked_at INTEGER NOT NULL
        ) STRICT;
        """

    static let stoppedDevices = """
        ALTER TABLE device ADD COLUMN blocked_at INTEGER;
        ALTER TABLE device ADD COLUMN blocked_by TEXT CHECK ((blocked_by IS NULL) = (blocked_at IS NULL));
        ALTER TABLE device ADD COLUMN replaced_by TEXT REFERENCES device(id)
            CHECK (replaced_by IS NULL OR revoked_at IS NOT NULL);
        """

    // A login updates its device's row in place. Writing to a separate table for families, and to its indices, cost
    // more than the rest of the login. The ids of earlier families are not derived from their devices, so those devices
    // must log in again.
    static let familiesOfDevices = """
        DROP TABLE refresh_family;
        ALTER TABLE device ADD COLUMN family_id BLOB;
        ALTER TABLE device ADD COLUMN current_hash BLOB CHECK ((current_hash IS NULL) = (family_id IS NULL));
        ALTER TABLE device ADD COLUMN previous_hash BLOB CHECK (previous_hash IS NULL OR family_id IS NOT NULL);
        ALTER TABLE device ADD COLUMN family_expires_at INTEGER CHECK ((family_expires_at IS NULL) = (family_id IS NULL));
        ALTER TABLE device ADD COLUMN authenticated_at INTEGER CHECK ((authenticated_at IS NULL) = (family_id IS NULL));
        ALTER TABLE device ADD COLUMN user_verification TEXT CHECK (user_verification IS NULL OR family_id IS NOT NULL);
        """

    // The algorithm is NULL for devices that were bound before, and is then read as the usual one for the kind of key.
    static let algorithms = "ALTER TABLE device ADD COLUMN algorithm TEXT;"

    // Every lookup of a challenge also gives its expiry time, so one index serves both lookup and deletion. The device
    // is stored without a foreign key check, since devices are never deleted.
    static let challengesByExpiry = """
        CREATE TABLE challenge_in_order (
            challenge TEXT NOT NULL,
            message_hash BLOB NOT NULL,
            device_id TEXT NOT NULL,
            expires_at INTEGER NOT NULL,
            PRIMARY KEY (expires_at, challenge)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO challenge_in_order (challenge, message_hash, device_id, expires_at)
            SELECT challenge, message_hash, device_id, expires_at FROM used_challenge;
        DROP TABLE used_challenge;
        ALTER TABLE challenge_in_order RENAME TO used_challenge;
        """

    // The columns of the primary key come first. Otherwise `PRAGMA integrity_check` of SQLite 3.40.1 treats other
    // columns as NULL, which hides real damage.
    static let challengesByKey = """
        CREATE TABLE challenge_by_key (
            expires_at INTEGER NOT NULL,
            challenge TEXT NOT NULL,
            message_hash BLOB NOT NULL,
            device_id TEXT NOT NULL,
            PRIMARY KEY (expires_at, challenge)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO challenge_by_key (expires_at, challenge, message_hash, device_id)
            SELECT expires_at, challenge, message_hash, device_id FROM used_challenge;
        DROP TABLE used_challenge;
        ALTER TABLE challenge_by_key RENAME TO used_challenge;
        """
}
