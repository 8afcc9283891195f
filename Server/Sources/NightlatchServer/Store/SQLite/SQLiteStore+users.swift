import GRDB
public import NightlatchWire

extension SQLiteStore {
    public func users(
        startingWith prefix: UserID?,
        after last: UserID?,
        limit: Int
    ) async throws(StoreError) -> [RegisteredUser] {
        let (from, below) = RegisteredUser.ids(startingWith: prefix)
        return try read { database in
            try Row.fetchAll(
                database,
                sql: RegisteredUser.query + " WHERE id >= ? AND id < ? AND id > ? ORDER BY id LIMIT ?",
                arguments: [from, below, last?.rawValue ?? "", limit]
            ).map(RegisteredUser.init)
        }
    }

    public func user(_ id: UserID) async throws(StoreError) -> RegisteredUser? {
        try readOnce { database in
            try Row.fetchOne(database, sql: RegisteredUser.query + " WHERE id = ?", arguments: [id.rawValue])
                .map(RegisteredUser.init)
        }
    }
}

extension RegisteredUser {
    /// What ``init(_:)`` takes, in its order, of the users that a condition after it names.
    fileprivate static let query = """
        SELECT id, created_at, EXISTS (SELECT 1 FROM password WHERE user_id = user.id),
            (SELECT count(*) FROM device WHERE user_id = user.id AND revoked_at IS NULL AND blocked_at IS NULL),
            (SELECT count(*) FROM device WHERE user_id = user.id AND revoked_at IS NULL AND blocked_at IS NOT NULL),
            (SELECT count(*) FROM device WHERE user_id = user.id AND revoked_at IS NOT NULL)
        FROM user
        """

    fileprivate init(_ row: Row) throws(StoreError) {
        self.init(
            id: try row.identifier(0), createdAt: NumericDate(secondsSince1970: row[1]), hasPassword: row[2],
            devices: DeviceCounts(active: row[3], blocked: row[4], revoked: row[5]))
    }
}
