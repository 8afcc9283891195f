extension PostgresMigration {
    // `sealed_under` names the master key of a row's boxes. It is NULL only in rows that an older version wrote. Once
    // the master key was rotated, an older version would seal under the old one; the triggers refuse its rows with
    // boxes. It can still destroy keys. A row of `pin_hardening` is always written by an INSERT with ON CONFLICT, which
    // runs the trigger too.
    static let masterKeys = [
        """
        CREATE TABLE master_key (
            id bigint PRIMARY KEY CHECK (id = 1),
            sealing text COLLATE "C" NOT NULL,
            previous text COLLATE "C",
            phase text NOT NULL CHECK (phase IN ('settled', 'switching', 'sealing')),
            since bigint NOT NULL,
            previous_ends_at bigint,
            kept_secrets bytea NOT NULL
        )
        """,
        """
        CREATE TABLE running_process (
            id text COLLATE "C" PRIMARY KEY,
            name text NOT NULL,
            keys text NOT NULL,
            sealing text COLLATE "C" NOT NULL,
            seen_at bigint NOT NULL
        ) WITH (fillfactor = 50)
        """,
        #"ALTER TABLE signing_key ADD COLUMN sealed_under text COLLATE "C""#,
        #"ALTER TABLE pin_hardening ADD COLUMN sealed_under text COLLATE "C""#,
        """
        CREATE FUNCTION row_is_sealed_again() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN
            -- A change of the master key waits for this transaction, or this one for the change.
            LOCK TABLE master_key IN ROW EXCLUSIVE MODE;
            IF EXISTS (SELECT 1 FROM master_key WHERE previous IS NOT NULL) THEN
                RAISE EXCEPTION 'the master key was rotated, and this version does not know the new one';
            END IF;
            RETURN NEW;
        END $$
        """,
        """
        CREATE TRIGGER signing_key_is_sealed_again BEFORE INSERT ON signing_key FOR EACH ROW
        WHEN (NEW.sealed_under IS NULL) EXECUTE FUNCTION row_is_sealed_again()
        """,
        """
        CREATE TRIGGER pin_hardening_is_sealed_again BEFORE INSERT ON pin_hardening FOR EACH ROW
        WHEN (NEW.sealed_under IS NULL AND position('"box"'::bytea IN NEW.state) > 0) EXECUTE FUNCTION row_is_sealed_again()
        """,
    ]
}
