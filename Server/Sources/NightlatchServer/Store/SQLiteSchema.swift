import GRDB

/// The tables of a ``SQLiteStore``. A migration that was released is never edited; changes come as new ones.
enum SQLiteSchema {
    /// Brings the schema up to date.
    ///
    /// Processes that start at once may each find a migration missing. One runs it, and the others fail on what is there by
    /// then; a migration is one transaction, so looking again shows who was faster.
    static func migrate(_ pool: DatabasePool) throws {
        var applied = try pool.read(appliedMigrations)
        while true {
            do {
                return try migrator.migrate(pool)
            } catch {
                let appliedNow = try pool.read(appliedMigrations)
                guard appliedNow != applied else { throw error }
                applied = appliedNow
            }
        }
    }

    /// What was applied to a file so far.
    ///
    /// - Throws: ``StoreError`` `tooNew` if that is more than this version knows.
    static func appliedMigrations(_ database: Database) throws -> Set<String> {
        guard try database.tableExists("grdb_migrations") else { return [] }
        guard try !migrator.hasBeenSuperseded(database) else { throw StoreError(.tooNew) }
        return try migrator.appliedIdentifiers(database)
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 users, devices, ceremonies, tokens", foreignKeyChecks: .immediate) { database in
            try database.execute(sql: version1)
        }
        migrator.registerMigration("2 one family a device, readiness", foreignKeyChecks: .immediate) { database in
            try database.execute(sql: version2)
        }
        migrator.registerMigration("3 transactions", foreignKeyChecks: .immediate) { database in
            try database.execute(sql: transactions)
        }
        migrator.registerMigration(
            "4 signing key rotation, logins of families, passwords", foreignKeyChecks: .immediate
        ) { database in
            try database.execute(sql: tokensAndPasswords)
        }
        migrator.registerMigration("5 audit log", foreignKeyChecks: .immediate) { database in
            try database.execute(sql: auditLog)
        }
        migrator.registerMigration("6 blocked and replaced devices", foreignKeyChecks: .immediate) { database in
            try database.execute(sql: barredDevices)
        }
        migrator.registerMigration("7 journeys", foreignKeyChecks: .immediate) { database in
            try database.execute(sql: journeys)
        }
        migrator.registerMigration("8 sessions under operators' eyes", foreignKeyChecks: .immediate) { database in
            try database.execute(sql: operatedSessions)
        }
        migrator.registerMigration("9 two-party PINs", foreignKeyChecks: .immediate) { database in
            try database.execute(sql: pinHardening)
        }
        migrator.registerMigration("10 journeys that are stopped", foreignKeyChecks: .immediate) { database in
            try database.execute(sql: stoppedJourneys)
        }
        migrator.registerMigration("11 what journeys have had signed", foreignKeyChecks: .immediate) { database in
            try database.execute(sql: signedJourneys)
        }
        return migrator
    }

    private static let version1 = """
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
    // Refresh tokens that were issued before begin with no family's name: their devices log in again.
    private static let version2 = """
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

    private static let transactions = """
        CREATE TABLE user_transaction (
            id TEXT PRIMARY KEY,
            user_id TEXT NOT NULL REFERENCES user(id),
            addressees TEXT NOT NULL,
            details TEXT NOT NULL,
            details_hash TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            ended_as TEXT CHECK (ended_as IN ('confirmed', 'rejected', 'voided')),
            ended_at INTEGER,
            device_id TEXT REFERENCES device(id),
            message TEXT,
            CHECK ((ended_as IS NULL) = (ended_at IS NULL)),
            CHECK ((device_id IS NULL) = (message IS NULL)),
            CHECK (coalesce(ended_as IN ('confirmed', 'rejected'), FALSE) = (message IS NOT NULL))
        ) STRICT;
        CREATE INDEX undecided_transaction_of_user ON user_transaction(user_id, expires_at) WHERE ended_as IS NULL;
        CREATE INDEX transaction_of_user ON user_transaction(user_id, created_at, id);
        CREATE INDEX transaction_by_expiry ON user_transaction(expires_at);
        """

    // Of families that began before it is not known what the login showed: their devices log in again.
    private static let tokensAndPasswords = """
        DELETE FROM refresh_family;
        ALTER TABLE refresh_family ADD COLUMN authenticated_at INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE refresh_family ADD COLUMN user_verification TEXT;

        ALTER TABLE signing_key ADD COLUMN active_from INTEGER NOT NULL DEFAULT 0;
        UPDATE signing_key SET active_from = created_at;

        CREATE TABLE password (
            user_id TEXT PRIMARY KEY REFERENCES user(id),
            hash BLOB NOT NULL,
            salt BLOB NOT NULL,
            memory_kibibytes INTEGER NOT NULL,
            passes INTEGER NOT NULL,
            lanes INTEGER NOT NULL,
            failures INTEGER NOT NULL,
            closed_until INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    // Users are named, not referred to: an entry stays as it was written.
    private static let auditLog = """
        CREATE TABLE audit_entry (
            chain TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            at INTEGER NOT NULL,
            user_id TEXT,
            body BLOB NOT NULL,
            hash TEXT NOT NULL,
            PRIMARY KEY (chain, sequence)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX audit_entry_by_time ON audit_entry(at, chain, sequence);
        CREATE INDEX audit_entry_of_user ON audit_entry(user_id, at, chain, sequence) WHERE user_id IS NOT NULL;

        CREATE TRIGGER audit_entry_stays BEFORE DELETE ON audit_entry
        BEGIN SELECT RAISE(ABORT, 'the audit log is only ever added to'); END;
        CREATE TRIGGER audit_entry_is_final BEFORE UPDATE ON audit_entry
        BEGIN SELECT RAISE(ABORT, 'the audit log is only ever added to'); END;
        """

    private static let barredDevices = """
        ALTER TABLE device ADD COLUMN blocked_at INTEGER;
        ALTER TABLE device ADD COLUMN blocked_by TEXT CHECK ((blocked_by IS NULL) = (blocked_at IS NULL));
        ALTER TABLE device ADD COLUMN replaced_by TEXT REFERENCES device(id)
            CHECK (replaced_by IS NULL OR revoked_at IS NOT NULL);
        """

    // A session names its key and does not refer to it: the session of who removes that key goes on.
    private static let journeys = """
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

    private static let operatedSessions = """
        CREATE INDEX journey_session_of_user ON journey_session(user_id, began_at);

        CREATE TABLE ended_console_session (
            id TEXT PRIMARY KEY,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX ended_console_session_by_expiry ON ended_console_session(expires_at);
        """

    private static let signedJourneys = """
        ALTER TABLE journey_device ADD COLUMN protection TEXT;
        ALTER TABLE journey_session ADD COLUMN signed TEXT;
        """

    private static let pinHardening = """
        CREATE TABLE pin_hardening (
            device_id TEXT PRIMARY KEY REFERENCES device(id),
            state BLOB NOT NULL,
            exhausted_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX exhausted_pin_hardening ON pin_hardening(exhausted_at) WHERE exhausted_at IS NOT NULL;
        """

    private static let stoppedJourneys = """
        ALTER TABLE user ADD COLUMN journey_generation INTEGER NOT NULL DEFAULT 0;
        """
}
