extension SQLiteMigration {
    static let userProfiles = """
        CREATE TABLE user_profile (
            user_id TEXT PRIMARY KEY REFERENCES user(id),
            revision INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            document TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
