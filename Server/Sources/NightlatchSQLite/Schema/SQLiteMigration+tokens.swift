extension SQLiteMigration {
    static let transactions = """
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

    // Existing refresh families do not record how the user was verified. They are deleted, and their devices must log
    // in again.
    static let tokensAndPasswords = """
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

    // `user_id` is not a foreign key, so that no change of a user's row affects an entry.
    static let auditLog = """
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
}
