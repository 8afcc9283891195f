extension SQLiteMigration {
    static let policies = """
        CREATE TABLE policy (
            kind TEXT NOT NULL,
            subject TEXT NOT NULL,
            revision INTEGER NOT NULL,
            changed_at INTEGER NOT NULL,
            changed_by TEXT NOT NULL,
            document TEXT NOT NULL,
            PRIMARY KEY (kind, subject)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX policy_by_revision ON policy(revision);
        """
}
