extension SQLiteMigration {
    // Without a fixed set of roles: a newer version may know more of them.
    static let operators = """
        CREATE TABLE console_operator (
            user_id TEXT PRIMARY KEY REFERENCES user(id),
            name TEXT NOT NULL UNIQUE,
            role TEXT NOT NULL,
            added_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
