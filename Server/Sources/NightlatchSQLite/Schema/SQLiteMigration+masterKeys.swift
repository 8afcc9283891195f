extension SQLiteMigration {
    // `sealed_under` names the master key of a row's boxes. It is NULL only in rows that an older version wrote. Once
    // the master key was rotated, an older version would seal under the old one; the triggers refuse its rows with
    // boxes. It can still destroy keys. A row of `pin_hardening` is always written by an INSERT with ON CONFLICT, which
    // runs the trigger too.
    static let masterKeys = """
        CREATE TABLE master_key (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            sealing TEXT NOT NULL,
            previous TEXT,
            phase TEXT NOT NULL CHECK (phase IN ('settled', 'switching', 'sealing')),
            since INTEGER NOT NULL,
            previous_ends_at INTEGER,
            kept_secrets BLOB NOT NULL
        ) STRICT;

        CREATE TABLE running_process (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            keys TEXT NOT NULL,
            sealing TEXT NOT NULL,
            seen_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        ALTER TABLE signing_key ADD COLUMN sealed_under TEXT;
        ALTER TABLE pin_hardening ADD COLUMN sealed_under TEXT;

        CREATE TRIGGER signing_key_is_sealed_again BEFORE INSERT ON signing_key
        WHEN NEW.sealed_under IS NULL AND EXISTS (SELECT 1 FROM master_key WHERE previous IS NOT NULL)
        BEGIN SELECT RAISE(ABORT, 'the master key was rotated, and this version does not know the new one'); END;
        CREATE TRIGGER pin_hardening_is_sealed_again BEFORE INSERT ON pin_hardening
        WHEN NEW.sealed_under IS NULL AND instr(CAST(NEW.state AS TEXT), '"box"') > 0
        AND EXISTS (SELECT 1 FROM master_key WHERE previous IS NOT NULL)
        BEGIN SELECT RAISE(ABORT, 'the master key was rotated, and this version does not know the new one'); END;
        """
}
