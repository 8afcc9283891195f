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
                "SELECT \(UserRecord.columns) FROM user_account WHERE id >= $1 AND id < $2 AND id > $3 ORDER BY id LIMIT $4",
                .text(from), .text(below), .text(last?.rawValue ?? ""), .integer(limit)
            ).map(UserRecord.init)
        }
    }

    public func user(_ id: UserID) async throws(RelyingPartyStoreError) -> UserRecord? {
        try await read { transaction in try Self.user(id, in: transaction) }
    }

    static func user(_ id: UserID, in transaction: PostgresTransaction) throws -> UserRecord? {
        try transaction.rows("SELECT \(UserRecord.columns) FROM user_account WHERE id = $1", .text(id.rawValue))
            .first.map(UserRecord.init)
    }
}

extension PostgresStore {
    /// Creates a user, unless there is one with this id. The answer's count is that of created users.
    @discardableResult
    static func addUser(
        _ id: UserID, at now: NumericDate, in transaction: PostgresTransaction
    ) throws(PostgresFailure) -> PostgresAnswer {
        try insertUser(
            id, at: now, generation: UserRecord.newJourneyGeneration(), else: "ON CONFLICT DO NOTHING", in: transaction)
    }

    /// Creates a user that a journey registers. The transaction fails if another one has just taken the id.
    static func addUser(
        _ creation: NewJourneyUser, at now: NumericDate, in transaction: PostgresTransaction
    ) throws(PostgresFailure) {
        try insertUser(creation.user, at: now, generation: creation.generation, else: "", in: transaction)
    }

    @discardableResult
    private static func insertUser(
        _ id: UserID, at now: NumericDate, generation: Int, else clause: String, in transaction: PostgresTransaction
    ) throws(PostgresFailure) -> PostgresAnswer {
        try transaction.send(
            """
            INSERT INTO user_account (id, folded_id, created_at, journey_generation) VALUES ($1, $2, $3, $4) \(clause)
            """,
            .text(id.rawValue), .text(SearchText(id.rawValue).folded), .integer(now.secondsSince1970),
            .integer(generation))
    }
}

extension UserRecord {
    /// The columns for ``init(_:)``.
    static let columns = """
        id, created_at, (SELECT count(*) FROM password WHERE user_id = user_account.id) AS passwords,
        (SELECT count(*) FROM device
            WHERE user_id = user_account.id AND revoked_at IS NULL AND blocked_at IS NULL) AS active,
        (SELECT count(*) FROM device
            WHERE user_id = user_account.id AND revoked_at IS NULL AND blocked_at IS NOT NULL) AS blocked,
        (SELECT count(*) FROM device WHERE user_id = user_account.id AND revoked_at IS NOT NULL) AS revoked
        """

    init(_ row: PostgresRow) throws(RelyingPartyStoreError) {
        self.init(
            id: try row.identifier("id"), createdAt: try row.date("created_at"),
            hasPassword: try row.integer("passwords") > 0,
            devices: DeviceCounts(
                active: try row.integer("active"), blocked: try row.integer("blocked"),
                revoked: try row.integer("revoked")))
    }
}
