extension PostgresMigration {
    static let userProfiles = [
        """
        CREATE TABLE user_profile (
            user_id text COLLATE "C" PRIMARY KEY REFERENCES user_account (id),
            revision bigint NOT NULL,
            updated_at bigint NOT NULL,
            document text NOT NULL
        )
        """
    ]

    // Only the deletion of a user changes an entry: it erases the personal part, and files the entry under a pseudonym.
    // Without the indexes, the deletion of a device would read each transaction, remote login and device to check the
    // foreign keys.
    static let deletedUsers = [
        "ALTER TABLE audit_entry ADD COLUMN personal bytea",
        """
        CREATE OR REPLACE FUNCTION audit_entry_stays() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN
            IF TG_OP = 'UPDATE' THEN
                IF OLD.personal IS NOT NULL AND NEW.personal IS NULL AND
                    (NEW.chain, NEW.sequence, NEW.at, NEW.body, NEW.hash)
                    IS NOT DISTINCT FROM (OLD.chain, OLD.sequence, OLD.at, OLD.body, OLD.hash)
                THEN RETURN NEW; END IF;
            END IF;
            RAISE EXCEPTION 'the audit log is only ever added to';
        END $$
        """,
        "CREATE INDEX transaction_of_device ON user_transaction (device_id) WHERE device_id IS NOT NULL",
        "CREATE INDEX remote_login_of_device ON remote_login (device_id) WHERE device_id IS NOT NULL",
        "CREATE INDEX device_of_successor ON device (replaced_by) WHERE replaced_by IS NOT NULL",
    ]

    // The text of a hash that another system made; null for the server's own. An earlier release neither reads nor
    // writes it: see `StoredPassword`.
    static let importedPasswords = ["ALTER TABLE password ADD COLUMN imported text"]
}
