/// One step of the schema. A migration that was released is never edited; changes come as new ones.
struct PostgresMigration {
    /// By this name the database knows that it was applied.
    let name: String
    /// What it does, one statement after the other.
    let statements: [String]

    /// All steps, in the order in which they are applied.
    static let all = [
        PostgresMigration(name: "1 users, devices, ceremonies, tokens", statements: version1),
        PostgresMigration(name: "2 transactions", statements: transactions),
        PostgresMigration(
            name: "3 signing key rotation, logins of families, passwords", statements: tokensAndPasswords),
        PostgresMigration(name: "4 audit log", statements: auditLog),
        PostgresMigration(name: "5 blocked and replaced devices", statements: barredDevices),
        PostgresMigration(name: "6 journeys", statements: journeys),
        PostgresMigration(name: "7 sessions under operators' eyes", statements: operatedSessions),
        PostgresMigration(name: "8 two-party PINs", statements: pinHardening),
        PostgresMigration(name: "9 journeys that are stopped", statements: stoppedJourneys),
        PostgresMigration(name: "10 what journeys have had signed", statements: signedJourneys),
    ]

    // Identifiers are compared byte by byte, as the program does. Moments are seconds since 1970, as on the wire. Rows that
    // are written again and again leave room in their page, so that no index has to change with them.
    private static let version1 = [
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

    private static let transactions = [
        """
        CREATE TABLE user_transaction (
            id text COLLATE "C" PRIMARY KEY,
            user_id text COLLATE "C" NOT NULL REFERENCES user_account (id),
            addressees text NOT NULL,
            details text NOT NULL,
            details_hash text COLLATE "C" NOT NULL,
            created_at bigint NOT NULL,
            expires_at bigint NOT NULL,
            ended_as text COLLATE "C" CHECK (ended_as IN ('confirmed', 'rejected', 'voided')),
            ended_at bigint,
            device_id text COLLATE "C" REFERENCES device (id),
            message text,
            CHECK ((ended_as IS NULL) = (ended_at IS NULL)),
            CHECK ((device_id IS NULL) = (message IS NULL)),
            CHECK (coalesce(ended_as IN ('confirmed', 'rejected'), false) = (message IS NOT NULL))
        )
        """,
        "CREATE INDEX undecided_transaction_of_user ON user_transaction (user_id, expires_at) WHERE ended_as IS NULL",
        "CREATE INDEX transaction_of_user ON user_transaction (user_id, created_at, id)",
        "CREATE INDEX transaction_by_expiry ON user_transaction (expires_at)",
    ]

    // Of families that began before it is not known what the login showed: their devices log in again.
    private static let tokensAndPasswords = [
        "DELETE FROM refresh_family",
        """
        ALTER TABLE refresh_family
            ADD COLUMN authenticated_at bigint NOT NULL DEFAULT 0,
            ADD COLUMN user_verification text COLLATE "C"
        """,
        "ALTER TABLE signing_key ADD COLUMN active_from bigint NOT NULL DEFAULT 0",
        "UPDATE signing_key SET active_from = created_at",
        """
        CREATE TABLE password (
            user_id text COLLATE "C" PRIMARY KEY REFERENCES user_account (id),
            hash bytea NOT NULL,
            salt bytea NOT NULL,
            memory_kibibytes bigint NOT NULL,
            passes bigint NOT NULL,
            lanes bigint NOT NULL,
            failures bigint NOT NULL,
            closed_until bigint NOT NULL
        ) WITH (fillfactor = 80)
        """,
    ]

    // Users are named, not referred to: an entry stays as it was written. Who owns the table can take the triggers away; what
    // they stop is a mistake, and a role that may do no more than write rows.
    private static let auditLog = [
        """
        CREATE TABLE audit_entry (
            chain text COLLATE "C" NOT NULL,
            sequence bigint NOT NULL,
            at bigint NOT NULL,
            user_id text COLLATE "C",
            body bytea NOT NULL,
            hash text COLLATE "C" NOT NULL,
            PRIMARY KEY (chain, sequence)
        )
        """,
        "CREATE INDEX audit_entry_by_time ON audit_entry (at, chain, sequence)",
        """
        CREATE INDEX audit_entry_of_user ON audit_entry (user_id, at, chain, sequence) WHERE user_id IS NOT NULL
        """,
        """
        CREATE FUNCTION audit_entry_stays() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'the audit log is only ever added to'; END $$
        """,
        """
        CREATE TRIGGER audit_entry_stays BEFORE UPDATE OR DELETE ON audit_entry
        FOR EACH ROW EXECUTE FUNCTION audit_entry_stays()
        """,
        """
        CREATE TRIGGER audit_log_stays BEFORE TRUNCATE ON audit_entry
        FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_stays()
        """,
    ]

    private static let barredDevices = [
        """
        ALTER TABLE device
            ADD COLUMN blocked_at bigint,
            ADD COLUMN blocked_by text COLLATE "C",
            ADD COLUMN replaced_by text COLLATE "C" REFERENCES device (id),
            ADD CHECK ((blocked_by IS NULL) = (blocked_at IS NULL)),
            ADD CHECK (replaced_by IS NULL OR revoked_at IS NOT NULL)
        """
    ]

    // A session names its key and does not refer to it: the session of who removes that key goes on.
    private static let journeys = [
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

    private static let operatedSessions = [
        "CREATE INDEX journey_session_of_user ON journey_session (user_id, began_at)",
        """
        CREATE TABLE ended_console_session (
            id text COLLATE "C" PRIMARY KEY,
            expires_at bigint NOT NULL
        )
        """,
        "CREATE INDEX ended_console_session_by_expiry ON ended_console_session (expires_at)",
    ]

    private static let signedJourneys = [
        "ALTER TABLE journey_device ADD COLUMN protection text COLLATE \"C\"",
        "ALTER TABLE journey_session ADD COLUMN signed text",
    ]

    private static let pinHardening = [
        """
        CREATE TABLE pin_hardening (
            device_id text COLLATE "C" PRIMARY KEY REFERENCES device (id),
            state bytea NOT NULL,
            exhausted_at bigint
        ) WITH (fillfactor = 80)
        """,
        """
        CREATE INDEX exhausted_pin_hardening ON pin_hardening (exhausted_at) WHERE exhausted_at IS NOT NULL
        """,
    ]

    private static let stoppedJourneys = [
        "ALTER TABLE user_account ADD COLUMN journey_generation bigint NOT NULL DEFAULT 0"
    ]
}
