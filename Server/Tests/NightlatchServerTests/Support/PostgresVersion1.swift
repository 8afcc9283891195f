import NightlatchPostgresCluster
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire

/// A schema of the first version, with one device that has logged in. This file is never edited.
enum PostgresVersion1 {
    static func create(
        _ schema: String,
        device: TestDevice,
        id: DeviceID,
        of user: UserID,
        having used: ChallengeUse
    ) async throws {
        let (key, possession) = (try device.key.id.rawValue, try device.possession.id.rawValue)
        let jwk = String(decoding: try StrictJSON.encode(device.key.jwk), as: UTF8.self)
        let message = used.message.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let zeros = String(repeating: "00", count: 32)
        // All values consist of letters, digits and JSON punctuation, so they need no escaping.
        let rows = """
            INSERT INTO user_account VALUES ('\(user.rawValue)', 1800000000);
            INSERT INTO device VALUES ('\(id.rawValue)', '\(user.rawValue)', 'nightlatch', '\(key)', '\(jwk)', '\(possession)',
                'Phone', 1800000000, 1800000000, NULL);
            INSERT INTO refresh_family VALUES ('\\x\(zeros)', '\(id.rawValue)', '\(possession)', '\\x\(zeros)', NULL, 1802592000);
            INSERT INTO used_challenge VALUES ('\(used.challenge.rawValue)', '\\x\(message)', '\(id.rawValue)',
                \(used.expiresAt.secondsSince1970));
            """
        let cluster = try await PostgresCluster.shared
        try await cluster.query(
            """
            CREATE SCHEMA \(schema) AUTHORIZATION nightlatch; SET ROLE nightlatch; SET search_path TO \(schema);
            \(tables) \(rows)
            """)
    }

    private static let tables = """
        CREATE TABLE schema_migration (
            name text COLLATE "C" PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now()
        );
        INSERT INTO schema_migration VALUES ('1 users, devices, ceremonies, tokens');
        CREATE TABLE user_account (id text COLLATE "C" PRIMARY KEY, created_at bigint NOT NULL);
        CREATE TABLE device (
            id text COLLATE "C" PRIMARY KEY, user_id text COLLATE "C" NOT NULL REFERENCES user_account (id),
            client_id text COLLATE "C" NOT NULL, key_id text COLLATE "C" NOT NULL UNIQUE, key text NOT NULL,
            possession_key_id text COLLATE "C" NOT NULL, name text NOT NULL, bound_at bigint NOT NULL, last_login_at bigint,
            revoked_at bigint
        ) WITH (fillfactor = 80);
        CREATE INDEX active_device_of_user ON device (user_id, bound_at, id) WHERE revoked_at IS NULL;
        CREATE INDEX revoked_device_of_user ON device (user_id, revoked_at, id) WHERE revoked_at IS NOT NULL;
        CREATE TABLE enrolment_code (
            mac bytea PRIMARY KEY, user_id text COLLATE "C" NOT NULL REFERENCES user_account (id), expires_at bigint NOT NULL,
            used_by_key_id text COLLATE "C"
        );
        CREATE INDEX enrolment_code_by_expiry ON enrolment_code (expires_at);
        CREATE TABLE used_challenge (
            challenge text COLLATE "C" PRIMARY KEY, message_hash bytea NOT NULL,
            device_id text COLLATE "C" NOT NULL REFERENCES device (id), expires_at bigint NOT NULL
        );
        CREATE INDEX used_challenge_by_expiry ON used_challenge (expires_at);
        CREATE TABLE refresh_family (
            id bytea PRIMARY KEY, device_id text COLLATE "C" NOT NULL UNIQUE REFERENCES device (id),
            possession_key_id text COLLATE "C" NOT NULL, current_hash bytea NOT NULL, previous_hash bytea,
            expires_at bigint NOT NULL
        ) WITH (fillfactor = 80);
        CREATE INDEX refresh_family_by_expiry ON refresh_family (expires_at);
        CREATE TABLE signing_key (id text COLLATE "C" PRIMARY KEY, box bytea NOT NULL, created_at bigint NOT NULL);
        CREATE TABLE readiness (id bigint PRIMARY KEY CHECK (id = 1), checked_at bigint NOT NULL);
        """
}
