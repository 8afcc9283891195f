extension PostgresMigration {
    // Ids and names are folded by the program, because the database folds by its locale. The text is empty for a row
    // that an older version has written, until `foldNames` has folded it. The trigger removes the text of a name that
    // an older version changes; this version writes the new text after the name.
    //
    // A list of devices reads exactly one of the indices of `device`. They have no column that a login changes, so a
    // login changes no index.
    //
    // Kind and problem are found in the entry, so entries of all versions have them. In the text of an entry, quotes
    // inside a value are escaped, so the first match is the member. See `AuditEvent.encode`.
    static let lists = [
        #"ALTER TABLE user_account ADD COLUMN folded_id text COLLATE "C" NOT NULL DEFAULT ''"#,
        "CREATE INDEX user_by_folded_id ON user_account (folded_id, id)",

        #"ALTER TABLE device ADD COLUMN folded_name text COLLATE "C" NOT NULL DEFAULT ''"#,
        """
        CREATE FUNCTION device_name_is_changed() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN NEW.folded_name := ''; RETURN NEW; END $$
        """,
        """
        CREATE TRIGGER device_name_is_changed BEFORE UPDATE OF name ON device FOR EACH ROW
        WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION device_name_is_changed()
        """,
        "CREATE INDEX device_by_name ON device (folded_name, id)",
        "CREATE INDEX active_device_by_name ON device (folded_name, id) WHERE revoked_at IS NULL AND blocked_at IS NULL",
        """
        CREATE INDEX blocked_device_by_name ON device (folded_name, id)
        WHERE revoked_at IS NULL AND blocked_at IS NOT NULL
        """,
        "CREATE INDEX revoked_device_by_name ON device (folded_name, id) WHERE revoked_at IS NOT NULL",
        "CREATE INDEX device_of_client ON device (client_id, folded_name, id)",
        """
        CREATE INDEX active_device_of_client ON device (client_id, folded_name, id)
        WHERE revoked_at IS NULL AND blocked_at IS NULL
        """,
        """
        CREATE INDEX blocked_device_of_client ON device (client_id, folded_name, id)
        WHERE revoked_at IS NULL AND blocked_at IS NOT NULL
        """,
        "CREATE INDEX revoked_device_of_client ON device (client_id, folded_name, id) WHERE revoked_at IS NOT NULL",

        "CREATE INDEX transaction_by_time ON user_transaction (created_at, id)",
        """
        CREATE INDEX ended_transaction_by_time ON user_transaction (ended_as, created_at, id)
        WHERE ended_as IS NOT NULL
        """,
        "CREATE INDEX undecided_transaction_by_expiry ON user_transaction (expires_at, id) WHERE ended_as IS NULL",

        "CREATE INDEX audit_entry_of_kind ON audit_entry ((\(PostgresAuditText.kind)), at, chain, sequence)",
        """
        CREATE INDEX audit_entry_of_problem ON audit_entry ((\(PostgresAuditText.problem)), at, chain, sequence)
        WHERE (\(PostgresAuditText.problem)) IS NOT NULL
        """,

        """
        CREATE TABLE event_count (
            minute bigint NOT NULL,
            kind text COLLATE "C" NOT NULL,
            problem text COLLATE "C" NOT NULL,
            count bigint NOT NULL,
            PRIMARY KEY (minute, kind, problem)
        )
        """,
        """
        CREATE TABLE counted_minutes (
            id bigint PRIMARY KEY CHECK (id = 1),
            next bigint NOT NULL
        )
        """,
    ]
}
