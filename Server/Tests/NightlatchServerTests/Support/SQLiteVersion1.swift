import Foundation
import GRDB
import NightlatchServerTesting
import NightlatchWire

/// A database with the schema of the first version, with one device that has logged in. This file is never edited.
enum SQLiteVersion1 {
    static func create(at path: String, device: TestDevice, id: DeviceID, of user: UserID) throws {
        let database = try DatabaseQueue(path: path)
        try database.write { database in
            try database.execute(sql: schema)
            try database.execute(
                sql: """
                    INSERT INTO user VALUES (?, 1800000000);
                    INSERT INTO device VALUES (?, ?, 'nightlatch', ?, ?, ?, 'Phone', 1800000000, 1800000000, NULL);
                    INSERT INTO refresh_family VALUES (1, ?, ?, zeroblob(32), NULL, 1802592000);
                    INSERT INTO refresh_token VALUES (zeroblob(32), 1, 1800000000);
                    """,
                arguments: [
                    user.rawValue, id.rawValue, user.rawValue, try device.key.id.rawValue,
                    String(decoding: StrictJSON.encode(try device.key.jwk), as: UTF8.self),
                    try device.possession.id.rawValue, id.rawValue, try device.possession.id.rawValue,
                ])
        }
        try database.close()
    }

    private static let schema = """
        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
        INSERT INTO grdb_migrations VALUES ('1 users, devices, ceremonies, tokens');
        CREATE TABLE user (id TEXT PRIMARY KEY, created_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE device (
            id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES user(id), client_id TEXT NOT NULL,
            key_id TEXT NOT NULL UNIQUE, key TEXT NOT NULL, possession_key_id TEXT NOT NULL, name TEXT NOT NULL,
            bound_at INTEGER NOT NULL, last_login_at INTEGER, revoked_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX device_of_user ON device(user_id, bound_at);
        CREATE TABLE enrolment_code (
            mac BLOB PRIMARY KEY, user_id TEXT NOT NULL REFERENCES user(id), expires_at INTEGER NOT NULL,
            used_by_key_id TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX enrolment_code_by_expiry ON enrolment_code(expires_at);
        CREATE TABLE used_challenge (
            challenge TEXT PRIMARY KEY, message_hash BLOB NOT NULL, device_id TEXT NOT NULL REFERENCES device(id),
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX used_challenge_by_expiry ON used_challenge(expires_at);
        CREATE TABLE refresh_family (
            id INTEGER PRIMARY KEY, device_id TEXT NOT NULL REFERENCES device(id), possession_key_id TEXT NOT NULL,
            current_hash BLOB NOT NULL, previous_hash BLOB, expires_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX refresh_family_of_device ON refresh_family(device_id);
        CREATE INDEX refresh_family_by_expiry ON refresh_family(expires_at);
        CREATE TABLE refresh_token (
            hash BLOB PRIMARY KEY, family_id INTEGER NOT NULL REFERENCES refresh_family(id) ON DELETE CASCADE,
            issued_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX refresh_token_of_family ON refresh_token(family_id);
        CREATE TABLE signing_key (id TEXT PRIMARY KEY, box BLOB NOT NULL, created_at INTEGER NOT NULL)
        STRICT, WITHOUT ROWID;
        """
}
