extension SQLiteMigration {
    static let userProfiles = """
        CREATE TABLE user_profile (
            user_id TEXT PRIMARY KEY REFERENCES user(id),
            revision INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            document TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    // Only the deletion of a user changes an entry: it erases the personal part, and files the entry under a pseudonym.
    // Without the indexes, the deletion of a device would read each transaction, remote login and device to check the
    // foreign keys.
    static let deletedUsers = """
        ALTER TABLE audit_entry ADD COLUMN personal BLOB;
        DROP TRIGGER audit_entry_is_final;
        CREATE TRIGGER audit_entry_is_final BEFORE UPDATE ON audit_entry
        WHEN NOT (NEW.chain IS OLD.chain AND NEW.sequence IS OLD.sequence AND NEW.at IS OLD.at AND NEW.body IS OLD.body
            AND NEW.hash IS OLD.hash AND OLD.personal IS NOT NULL AND NEW.personal IS NULL)
        BEGIN SELECT RAISE(ABORT, 'the audit log is only ever added to'); END;

        CREATE INDEX transaction_of_device ON user_transaction(device_id) WHERE device_id IS NOT NULL;
        CREATE INDEX remote_login_of_device ON remote_login(device_id) WHERE device_id IS NOT NULL;
        CREATE INDEX device_of_successor ON device(replaced_by) WHERE replaced_by IS NOT NULL;
        """

    // The text of a hash that another system made; null for the server's own. An earlier release neither reads nor
    // writes it: see `StoredPassword`.
    static let importedPasswords = "ALTER TABLE password ADD COLUMN imported TEXT;"
}
