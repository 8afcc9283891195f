import GRDB
public import NightlatchRelyingParty
public import NightlatchWire

extension SQLiteStore {
    public func users(
        startingWith prefix: UserID?,
        after last: UserID?,
        limit: Int
    ) async throws(RelyingPartyStoreError) -> [UserRecord] {
        let (from, below) = UserRecord.ids(startingWith: prefix)
        return try read { database in
            try KeptStatement(
                "SELECT \(UserRecord.columns) FROM user WHERE id >= ? AND id < ? AND id > ? ORDER BY id LIMIT ?",
                in: database
            ).all(
                .text(from), .text(below), .text(last?.rawValue ?? ""), .integer(limit), read: UserRecord.init)
        }
    }

    public func user(_ id: UserID) async throws(RelyingPartyStoreError) -> UserRecord? {
        try readOnce { database in try Self.user(id, in: database) }
    }

    static func user(_ id: UserID, in database: Database) throws -> UserRecord? {
        try KeptStatement("SELECT \(UserRecord.columns) FROM user WHERE id = ?", in: database)
            .first(.text(id.rawValue), read: UserRecord.init)
    }
}

extension SQLiteStore {
    /// Creates a user, unless there is one with this id.
    ///
    /// - Parameter generation: The first number of the user's journeys.
    static func addUser(
        _ id: UserID, at now: NumericDate, generation: Int = UserRecord.newJourneyGeneration(), in database: Database
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO user (id, folded_id, created_at, journey_generation) VALUES (?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """,
            arguments: [id.rawValue, SearchText(id.rawValue).folded, now.secondsSince1970, generation])
    }
}

extension UserRecord {
    /// The columns for ``init(_:)``, in its order.
    static let columns = """
        id, created_at, EXISTS (SELECT 1 FROM password WHERE user_id = user.id),
            (SELECT count(*) FROM device WHERE user_id = user.id AND revoked_at IS NULL AND blocked_at IS NULL),
            (SELECT count(*) FROM device WHERE user_id = user.id AND revoked_at IS NULL AND blocked_at IS NOT NULL),
            (SELECT count(*) FROM device WHERE user_id = user.id AND revoked_at IS NOT NULL)
        """

    init(_ row: KeptRow) throws(RelyingPartyStoreError) {
        self.init(
            id: try row.identifier(0), createdAt: try row.date(1), hasPassword: try row.integer(2) != 0,
            devices: DeviceCounts(
                active: try row.integer(3), blocked: try row.integer(4), revoked: try row.integer(5)))
    }
}
