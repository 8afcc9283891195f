public import NightlatchRelyingParty
public import NightlatchWire

extension PostgresStore {
    public func users(
        startingWith prefix: UserID?,
        after last: UserID?,
        limit: Int
    ) async throws(RelyingPartyStoreError) -> [UserRecord] {
        let (from, below) = UserRecord.ids(startingWith: prefix)
        return try await read { transaction in
            try transaction.rows(
                UserRecord.query + " WHERE id >= $1 AND id < $2 AND id > $3 ORDER BY id LIMIT $4",
                .text(from), .text(below), .text(last?.rawValue ?? ""), .integer(limit)
            ).map(UserRecord.init)
        }
    }

    public func user(_ id: UserID) async throws(RelyingPartyStoreError) -> UserRecord? {
        try await read { transaction in
            try transaction.rows(UserRecord.query + " WHERE id = $1", .text(id.rawValue)).first
                .map(UserRecord.init)
        }
    }

    /// Creates a user for a backend or an operator. Does nothing if the user exists.
    static func insertIfNew(_ user: UserID, in transaction: PostgresTransaction) throws {
        let now = try transaction.now()
        try transaction.send(
            """
            INSERT INTO user_account (id, created_at, journey_generation) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
            """,
            .text(user.rawValue), .integer(now.secondsSince1970),
            .integer(UserRecord.firstJourneyGeneration(at: now)))
    }
}

extension UserRecord {
    /// The query for ``init(_:)``. The caller appends a condition.
    fileprivate static let query = """
        SELECT id, created_at, (SELECT count(*) FROM password WHERE user_id = user_account.id) AS passwords,
        (SELECT count(*) FROM device
            WHERE user_id = user_account.id AND revoked_at IS NULL AND blocked_at IS NULL) AS active,
        (SELECT count(*) FROM device
            WHERE user_id = user_account.id AND revoked_at IS NULL AND blocked_at IS NOT NULL) AS blocked,
        (SELECT count(*) FROM device WHERE user_id = user_account.id AND revoked_at IS NOT NULL) AS revoked
        FROM user_account
        """

    fileprivate init(_ row: PostgresRow) throws(RelyingPartyStoreError) {
        self.init(
            id: try row.identifier("id"), createdAt: try row.date("created_at"),
            hasPassword: try row.integer("passwords") > 0,
            devices: DeviceCounts(
                active: try row.integer("active"), blocked: try row.integer("blocked"),
                revoked: try row.integer("revoked")))
    }
}
