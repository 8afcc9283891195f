import Foundation
import GRDB
import NightlatchWire

/// How ``SQLiteStore`` keeps transactions: the details as they were hashed, and the hash beside them.
enum TransactionRow {
    private static let columns = """
        SELECT user_transaction.*, device.key AS device_key
        FROM user_transaction LEFT JOIN device ON device.id = user_transaction.device_id
        """

    static func fetch(_ id: TransactionID, now: NumericDate, in database: Database) throws -> RecordedTransaction? {
        try Row.fetchOne(database, sql: columns + " WHERE user_transaction.id = ?", arguments: [id.rawValue])
            .map { try RecordedTransaction($0, now: now) }
    }

    /// Oldest first: all that are pending, and of the others the `endedLimit` that were created last.
    static func fetchAll(
        of user: UserID,
        endedLimit: Int,
        now: NumericDate,
        in database: Database
    ) throws -> [RecordedTransaction] {
        let pending = try Row.fetchAll(
            database,
            sql: columns + " WHERE user_transaction.user_id = ? AND ended_as IS NULL AND expires_at >= ?",
            arguments: [user.rawValue, now.secondsSince1970])
        let ended = try Row.fetchAll(
            database,
            sql: columns + """
                 WHERE user_transaction.user_id = ? AND (ended_as IS NOT NULL OR expires_at < ?)
                ORDER BY created_at DESC, user_transaction.id DESC LIMIT ?
                """,
            arguments: [user.rawValue, now.secondsSince1970, endedLimit])
        return try (pending + ended).map { try RecordedTransaction($0, now: now) }
            .sorted { ($0.createdAt, $0.id.rawValue) < ($1.createdAt, $1.id.rawValue) }
    }

    static func insert(
        _ transaction: NewTransaction,
        now: NumericDate,
        in database: Database
    ) throws -> RecordedTransaction {
        try database.execute(
            sql: """
                INSERT INTO user_transaction (id, user_id, addressees, details, details_hash, created_at, expires_at)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                transaction.id.rawValue, transaction.user.rawValue,
                String(decoding: StrictJSON.encode(transaction.addressees), as: UTF8.self),
                String(decoding: transaction.details.canonicalBytes, as: UTF8.self),
                transaction.details.hash.rawValue, now.secondsSince1970, transaction.details.expiresAt.secondsSince1970,
            ])
        return RecordedTransaction(
            id: transaction.id, user: transaction.user, addressees: transaction.addressees,
            details: transaction.details, state: .pending, createdAt: now)
    }
}

extension RecordedTransaction {
    /// Reads a row. What can be no such row is corrupt, and so are details that the hash beside them is not of.
    fileprivate init(_ row: Row, now: NumericDate) throws {
        let details: TransactionDetails = try row.json("details")
        let expiresAt = NumericDate(secondsSince1970: row["expires_at"])
        let hash: TransactionDetailsHash = try row.identifier("details_hash")
        guard details.hash == hash, details.expiresAt == expiresAt else { throw StoreError(.corrupt) }
        self.init(
            id: try row.identifier("id"), user: try row.identifier("user_id"), addressees: try row.json("addressees"),
            details: details,
            state: try TransactionState(endedAs: row["ended_as"], expiresAt: expiresAt, now: now),
            createdAt: NumericDate(secondsSince1970: row["created_at"]),
            endedAt: (row["ended_at"] as Int?).map(NumericDate.init(secondsSince1970:)), proof: try row.decisionProof())
    }
}

extension Row {
    fileprivate func json<Value: Decodable>(_ column: String) throws(StoreError) -> Value {
        let text: String = self[column]
        do {
            return try StrictJSON.decode(Value.self, from: Data(text.utf8))
        } catch {
            throw StoreError(.corrupt)
        }
    }

    fileprivate func decisionProof() throws(StoreError) -> DecisionProof? {
        guard let message = self["message"] as String? else { return nil }
        return DecisionProof(device: try identifier("device_id"), key: try json("device_key"), message: message)
    }
}
