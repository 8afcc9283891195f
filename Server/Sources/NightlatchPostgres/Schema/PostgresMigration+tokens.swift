extension PostgresMigration {
    static let transactions = [
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

    // Existing refresh families do not record when and how the user authenticated. They are deleted, and their devices
    // must log in again.
    static let tokensAndPasswords = [
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

    // A device has at most one refresh family, which the next login replaces. The table therefore needs no purge by
    // expiry, and a clock that is ahead deletes no family.
    static let keptFamilies = ["DROP INDEX refresh_family_by_expiry"]

    // `user_id` has no foreign key, so that no change of a user's row affects an entry. The triggers prevent mistakes,
    // and restrict a role that may only write rows. The table's owner can remove them.
    static let auditLog = [
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
}
