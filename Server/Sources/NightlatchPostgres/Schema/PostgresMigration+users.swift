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
}
