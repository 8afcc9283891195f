import NightlatchRelyingParty
import NightlatchWire

/// The statements of one transaction, or of a read without a transaction, for one verb or for several that share it.
///
/// Statements are sent together when the first answer is read. Each statement sees the data that was committed before
/// the statement began. A verb that decides therefore first sends a statement that locks the row that its rule depends
/// on, and then reads.
final class PostgresTransaction {
    private let connection: PostgresConnection
    private let time: NumericDate?
    private var databaseTime: PostgresAnswer?
    private let isWriting: Bool
    private let isShared: Bool
    /// The connection's audit chain as it will be after the commit.
    private var auditChain: PostgresAuditChain

    /// Begins a transaction. Nothing is sent yet.
    ///
    /// - Parameters:
    ///   - connection: The connection. It must have no other transaction.
    ///   - writing: Whether the transaction may write. If not, each statement is independent.
    ///   - shared: Whether several verbs share the transaction.
    ///   - time: The current time; nil for the database's clock.
    init(
        on connection: PostgresConnection,
        writing: Bool,
        shared: Bool,
        time: NumericDate?
    ) throws(PostgresFailure) {
        self.connection = connection
        self.time = time
        isWriting = writing
        isShared = shared
        auditChain = connection.auditChain
        guard writing else { return }
        try connection.send("BEGIN", [])
        // The read of the clock is sent with the first statements, so it adds almost no cost.
        if time == nil { databaseTime = try connection.send(Self.databaseClock, []) }
    }

    private static let databaseClock = "SELECT floor(extract(epoch FROM clock_timestamp()))::bigint AS now"

    /// Reads the clock again after the queued statements.
    ///
    /// A verb calls this if it may wait for a lock while the record that it decides on expires.
    func readClock() throws(PostgresFailure) {
        if time == nil { databaseTime = try connection.send(Self.databaseClock, []) }
    }

    /// Limits how long later statements wait for locks of other transactions.
    ///
    /// A group of verbs calls this, because a lock that one verb needs delays all of them.
    func limitWaits() throws(PostgresFailure) {
        try connection.send("SET LOCAL lock_timeout = '100ms'", [])
    }

    /// Queues a read of the clock if it was not read yet.
    ///
    /// A verb that reads calls this, because a separate read of the clock would cost a round trip.
    func bringClock() throws(PostgresFailure) {
        if databaseTime == nil { try readClock() }
    }

    /// Returns the time at which the transaction began or last read the clock. All verbs of the transaction use the
    /// same clock.
    func now() throws -> NumericDate {
        if let time { return time }
        let answer = try databaseTime ?? connection.send(Self.databaseClock, [])
        databaseTime = answer
        guard let row = try answer.rows().first else { throw PostgresFailure.notSent }
        return try row.date("now")
    }

    /// Queues a statement. Its error appears at the next answer that is read, or at the commit.
    @discardableResult
    func send(_ sql: String, _ values: PostgresValue...) throws(PostgresFailure) -> PostgresAnswer {
        try connection.send(sql, values)
    }

    /// Sends a statement and waits for its rows.
    func rows(_ sql: String, _ values: PostgresValue...) throws(PostgresFailure) -> PostgresRows {
        try connection.send(sql, values).rows()
    }

    /// Like ``rows(_:_:)``, for a list of parameters that is built at run time.
    func rows(_ sql: String, values: [PostgresValue]) throws(PostgresFailure) -> PostgresRows {
        try connection.send(sql, values).rows()
    }

    /// Queues a statement that locks one row until the transaction ends. In a group's transaction, it does not wait for
    /// a lock, but skips the row.
    func lockRow(_ sql: String, _ values: PostgresValue...) throws(PostgresFailure) -> PostgresAnswer {
        try connection.send(sql + (isShared ? " FOR NO KEY UPDATE SKIP LOCKED" : " FOR NO KEY UPDATE"), values)
    }

    /// Returns the locked row; nil if it does not exist.
    ///
    /// - Throws: `passedOver` if the transaction is shared and the row was locked or does not exist.
    func lockedRow(_ answer: PostgresAnswer) throws(PostgresFailure) -> PostgresRow? {
        let row = try answer.rows().first
        if row == nil, isShared { throw .passedOver }
        return row
    }

    /// Appends `event` to the audit log, and its deliveries to webhooks, in the same transaction.
    func append(_ event: AuditEvent) throws {
        try auditChain.append(event, at: now(), in: self)
    }

    /// Sends the queued statements and commits.
    func commit() throws(PostgresFailure) {
        guard isWriting else { return try connection.travel() }
        let answer = try connection.send("COMMIT", [])
        let command: String
        do throws(PostgresFailure) {
            command = try answer.rows().command
        } catch .connectionLost, .notSent {
            // The commit may have been sent before the connection failed.
            throw .connectionLost(committing: true)
        }
        // The server answers ROLLBACK to the commit of a failed transaction.
        guard command == "COMMIT" else { throw .notSent }
        connection.auditChain = auditChain
    }
}
