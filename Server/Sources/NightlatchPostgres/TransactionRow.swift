import NightlatchRelyingParty
import NightlatchWire

/// The rows of transactions. They contain the exact details that were hashed, and the hash.
enum TransactionRow {
    /// The columns for `RecordedTransaction.init(_:now:)`.
    static let columns = """
        user_transaction.id, user_transaction.user_id, addressees, details, details_hash, created_at, expires_at,
        ended_as, ended_at, device_id, message, device.key AS device_key
        """

    private static let query = """
        SELECT \(columns) FROM user_transaction LEFT JOIN device ON device.id = device_id
        """

    /// Reads a transaction in its current state.
    static func select(
        _ id: TransactionID,
        in database: PostgresTransaction
    ) throws(PostgresFailure) -> PostgresAnswer {
        try database.send(query + " WHERE user_transaction.id = $1", .text(id.rawValue))
    }

    /// Locks a transaction until the database transaction ends, then reads the transaction and the clock.
    static func lock(
        _ id: TransactionID,
        in database: PostgresTransaction
    ) throws(PostgresFailure) -> PostgresAnswer {
        // Two statements, because a single one that waited for the lock would join the new row with an old state of the
        // devices.
        try database.send("SELECT 1 FROM user_transaction WHERE id = $1 FOR NO KEY UPDATE", .text(id.rawValue))
        try database.readClock()
        return try select(id, in: database)
    }

    /// Returns transactions, oldest first: all pending ones, and the `endedLimit` most recently created ended ones.
    static func fetchAll(
        of user: UserID,
        endedLimit: Int,
        now: NumericDate,
        in database: PostgresTransaction
    ) throws -> [RecordedTransaction] {
        try database.rows(
            """
            (\(query) WHERE user_transaction.user_id = $1 AND ended_as IS NULL AND expires_at >= $2)
            UNION ALL
            (\(query) WHERE user_transaction.user_id = $1 AND (ended_as IS NOT NULL OR expires_at < $2)
            ORDER BY created_at DESC, user_transaction.id DESC LIMIT $3)
            """,
            .text(user.rawValue), .integer(now.secondsSince1970), .integer(endedLimit)
        ).map { row throws(RelyingPartyStoreError) in try RecordedTransaction(row, now: now) }
            .sorted { ($0.createdAt, $0.id.rawValue) < ($1.createdAt, $1.id.rawValue) }
    }

    /// Returns the next transactions of a user in the order of their ids.
    static func fetchPage(
        of user: UserID, after id: String, limit: Int, now: NumericDate, in database: PostgresTransaction
    ) throws -> [RecordedTransaction] {
        try database.rows(
            query
                + " WHERE user_transaction.user_id = $1 AND user_transaction.id > $2 ORDER BY user_transaction.id LIMIT $3",
            .text(user.rawValue), .text(id), .integer(limit)
        ).map { row throws(RelyingPartyStoreError) in try RecordedTransaction(row, now: now) }
    }

    static func insert(
        _ transaction: NewTransaction,
        now: NumericDate,
        in database: PostgresTransaction
    ) throws(PostgresFailure) -> RecordedTransaction {
        try database.send(
            """
            INSERT INTO user_transaction (id, user_id, addressees, details, details_hash, created_at, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            .text(transaction.id.rawValue), .text(transaction.user.rawValue),
            .text(String(decoding: StrictJSON.encode(transaction.addressees), as: UTF8.self)),
            .text(String(decoding: transaction.details.canonicalBytes, as: UTF8.self)),
            .text(transaction.details.hash.rawValue), .integer(now.secondsSince1970),
            .integer(transaction.details.expiresAt.secondsSince1970))
        return RecordedTransaction(
            id: transaction.id, user: transaction.user, addressees: transaction.addressees,
            details: transaction.details, state: .pending, createdAt: now)
    }
}

extension RecordedTransaction {
    /// Decodes a row.
    ///
    /// - Throws: `RelyingPartyStoreError` `corrupt` if the row is invalid, or if the details do not match the stored
    ///   hash.
    init(_ row: PostgresRow, now: NumericDate) throws(RelyingPartyStoreError) {
        let details: TransactionDetails = try row.json("details")
        let expiresAt = try row.date("expires_at")
        let hash: TransactionDetailsHash = try row.identifier("details_hash")
        guard details.hash == hash, details.expiresAt == expiresAt else { throw RelyingPartyStoreError(.corrupt) }
        self.init(
            id: try row.identifier("id"), user: try row.identifier("user_id"), addressees: try row.json("addressees"),
            details: details,
            state: try TransactionState(endedAs: row.optionalText("ended_as"), expiresAt: expiresAt, now: now),
            createdAt: try row.date("created_at"),
            endedAt: try row.optionalDate("ended_at"), proof: try row.decisionProof())
    }
}

extension PostgresRow {
    fileprivate func decisionProof() throws(RelyingPartyStoreError) -> DecisionProof? {
        guard let message = try optionalText("message") else { return nil }
        return DecisionProof(device: try identifier("device_id"), key: try json("device_key"), message: message)
    }
}
