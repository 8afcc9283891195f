import Foundation
import GRDB
import NightlatchRelyingParty
import NightlatchWire

/// The rows of transactions of ``SQLiteStore``. They contain the exact details that were hashed, and the hash.
enum TransactionRow {
    /// The columns for `RecordedTransaction.init(_:now:)`, in its order.
    static let columns = """
        user_transaction.id, user_transaction.user_id, addressees, details, details_hash, created_at, expires_at, ended_as,
        ended_at, message, device_id, device.key
        """

    private static let select = """
        SELECT \(columns) FROM user_transaction LEFT JOIN device ON device.id = user_transaction.device_id
        """

    static func fetch(_ id: TransactionID, now: NumericDate, in database: Database) throws -> RecordedTransaction? {
        try KeptStatement(select + " WHERE user_transaction.id = ?", in: database)
            .first(.text(id.rawValue)) { row in try RecordedTransaction(row, now: now) }
    }

    /// Returns the transactions of a user, oldest first: all pending ones, and the `endedLimit` most recently created
    /// ended ones.
    static func fetchAll(
        of user: UserID,
        endedLimit: Int,
        now: NumericDate,
        in database: Database
    ) throws -> [RecordedTransaction] {
        let pending = try KeptStatement(
            select + " WHERE user_transaction.user_id = ? AND ended_as IS NULL AND expires_at >= ?", in: database
        ).all(.text(user.rawValue), .integer(now.secondsSince1970)) { row in try RecordedTransaction(row, now: now) }
        let ended = try KeptStatement(
            select + """
                 WHERE user_transaction.user_id = ? AND (ended_as IS NOT NULL OR expires_at < ?)
                ORDER BY created_at DESC, user_transaction.id DESC LIMIT ?
                """, in: database
        ).all(.text(user.rawValue), .integer(now.secondsSince1970), .integer(endedLimit)) { row in
            try RecordedTransaction(row, now: now)
        }
        return (pending + ended)
            .sorted { ($0.createdAt, $0.id.rawValue) < ($1.createdAt, $1.id.rawValue) }
    }

    /// Returns the next transactions of a user in the order of their ids.
    static func fetchPage(
        of user: UserID, after id: String, limit: Int, now: NumericDate, in database: Database
    ) throws -> [RecordedTransaction] {
        try KeptStatement(
            select
                + " WHERE user_transaction.user_id = ? AND user_transaction.id > ? ORDER BY user_transaction.id LIMIT ?",
            in: database
        ).all(.text(user.rawValue), .text(id), .integer(limit)) { row in try RecordedTransaction(row, now: now) }
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
    /// Decodes a row.
    ///
    /// - Throws: `RelyingPartyStoreError` `corrupt` if the row is invalid, or if the details do not match the stored
    ///   hash.
    init(_ row: KeptRow, now: NumericDate) throws {
        let details: TransactionDetails = try row.json(3)
        let hash: TransactionDetailsHash = try row.identifier(4)
        let expiresAt = try row.date(6)
        guard details.hash == hash, details.expiresAt == expiresAt else { throw RelyingPartyStoreError(.corrupt) }
        let proof = try row.optionalText(9).map { message throws(RelyingPartyStoreError) in
            DecisionProof(device: try row.identifier(10), key: try row.json(11), message: message)
        }
        self.init(
            id: try row.identifier(0), user: try row.identifier(1), addressees: try row.json(2), details: details,
            state: try TransactionState(endedAs: row.optionalText(7), expiresAt: expiresAt, now: now),
            createdAt: try row.date(5), endedAt: row.optionalDate(8), proof: proof)
    }
}
