extension SQLiteMigration {
    // Ids and names are folded by the program, because SQLite folds only the letters of ASCII. The text is empty for a
    // row that an older version has written, until `foldNames` has folded it. The trigger removes the text of a name
    // that an older version changes; this version writes the new text after the name.
    //
    // A list of devices reads exactly one of the indices of `device`. They have no column that a login changes, and a
    // partial index answers how many rows there are without reading the table.
    //
    // `kind` and `problem` are computed from the entry, so entries of all versions have them. In the text of an entry,
    // quotes inside a value are escaped, so the first match is the member. See `AuditEvent.encode`.
    static let lists = """
        ALTER TABLE user ADD COLUMN folded_id TEXT NOT NULL DEFAULT '';
        CREATE INDEX user_by_folded_id ON user(folded_id, id);

        ALTER TABLE device ADD COLUMN folded_name TEXT NOT NULL DEFAULT '';
        CREATE TRIGGER device_name_is_changed AFTER UPDATE OF name ON device WHEN NEW.name IS NOT OLD.name
        BEGIN UPDATE device SET folded_name = '' WHERE id = NEW.id; END;
        CREATE INDEX device_by_name ON device(folded_name, id);
        CREATE INDEX active_device_by_name ON device(folded_name, id) WHERE revoked_at IS NULL AND blocked_at IS NULL;
        CREATE INDEX blocked_device_by_name ON device(folded_name, id)
            WHERE revoked_at IS NULL AND blocked_at IS NOT NULL;
        CREATE INDEX revoked_device_by_name ON device(folded_name, id) WHERE revoked_at IS NOT NULL;
        CREATE INDEX device_of_client ON device(client_id, folded_name, id);
        CREATE INDEX active_device_of_client ON device(client_id, folded_name, id)
            WHERE revoked_at IS NULL AND blocked_at IS NULL;
        CREATE INDEX blocked_device_of_client ON device(client_id, folded_name, id)
            WHERE revoked_at IS NULL AND blocked_at IS NOT NULL;
        CREATE INDEX revoked_device_of_client ON device(client_id, folded_name, id) WHERE revoked_at IS NOT NULL;

        CREATE INDEX transaction_by_time ON user_transaction(created_at, id);
        CREATE INDEX ended_transaction_by_time ON user_transaction(ended_as, created_at, id) WHERE ended_as IS NOT NULL;
        CREATE INDEX undecided_transaction_by_expiry ON user_transaction(expires_at, id) WHERE ended_as IS NULL;

        ALTER TABLE audit_entry ADD COLUMN kind TEXT GENERATED ALWAYS AS (
            substr(CAST(body AS TEXT), instr(CAST(body AS TEXT), '"event":"') + 9,
                instr(substr(CAST(body AS TEXT), instr(CAST(body AS TEXT), '"event":"') + 9), '"') - 1)) VIRTUAL;
        ALTER TABLE audit_entry ADD COLUMN problem TEXT GENERATED ALWAYS AS (
            CASE WHEN instr(CAST(body AS TEXT), '"problem":"') > 0
            THEN substr(CAST(body AS TEXT), instr(CAST(body AS TEXT), '"problem":"') + 11,
                instr(substr(CAST(body AS TEXT), instr(CAST(body AS TEXT), '"problem":"') + 11), '"') - 1) END) VIRTUAL;
        CREATE INDEX audit_entry_of_kind ON audit_entry(kind, at, chain, sequence);
        CREATE INDEX audit_entry_of_problem ON audit_entry(problem, at, chain, sequence) WHERE problem IS NOT NULL;

        CREATE TABLE event_count (
            minute INTEGER NOT NULL,
            kind TEXT NOT NULL,
            problem TEXT NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (minute, kind, problem)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE counted_minutes (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            next INTEGER NOT NULL
        ) STRICT;
        """
}
