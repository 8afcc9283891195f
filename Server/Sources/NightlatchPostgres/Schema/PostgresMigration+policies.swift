extension PostgresMigration {
    static let policies = [
        """
        CREATE TABLE policy (
            kind text COLLATE "C" NOT NULL,
            subject text COLLATE "C" NOT NULL,
            revision bigint NOT NULL,
            changed_at bigint NOT NULL,
            changed_by text NOT NULL,
            document text NOT NULL,
            PRIMARY KEY (kind, subject)
        )
        """,
        "CREATE UNIQUE INDEX policy_by_revision ON policy (revision)",
    ]
}
