extension PostgresMigration {
    // Without a fixed set of roles: a newer version may know more of them.
    static let operators = [
        """
        CREATE TABLE console_operator (
            user_id text COLLATE "C" PRIMARY KEY REFERENCES user_account (id),
            name text COLLATE "C" NOT NULL UNIQUE,
            role text NOT NULL,
            added_at bigint NOT NULL
        )
        """
    ]
}
