import NightlatchRelyingParty
import NightlatchWire

/// What a verb, or several that share it, do in one go: the statements of one transaction, or reading ones.
///
/// Statements travel to the server when the first answer is looked at, together. Each sees what was committed before it began,
/// so a verb that decides first sends the statement that locks the row its rule hangs on, and reads after it.
final class PostgresTransaction {
    private let connection: PostgresConnection
    private let time: NumericDate?
    private var databaseTime: PostgresAnswer?
    private let isWriting: Bool
    private let isShared: Bool
    /// The connection's chain of the audit log as it will be once this is committed.
    private var auditChain: PostgresAuditChain

    /// Begins. Nothing has travelled yet.
    ///
    /// - Parameters:
    ///   - connection: Where. There may be no other transaction on it.
    ///   - writing: Whether there will be something to commit. If not, each statement stands for itself.
    ///   - shared: Whether it is of a group of verbs.
    ///   - time: What time it is; nil for the database's own time.
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
        // It travels with the first statements, where it costs next to nothing.
        if time == nil { databaseTime = try connection.send(Self.databaseClock, []) }
    }

    private static let databaseClock = "SELECT floor(extract(epoch FROM clock_timestamp()))::bigint AS now"

    /// Reads the clock behind the statements that were sent so far: for a verb whose locks may keep it waiting while what it
    /// decides on expires.
    func readClock() throws(PostgresFailure) {
        if time == nil { databaseTime = try connection.send(Self.databaseClock, []) }
    }

    /// From here on a statement waits for a moment at most for what somebody else holds. It is for a transaction of several verbs: where
    /// one would wait the others would with it.
    func limitWaits() throws(PostgresFailure) {
        try connection.send("SET LOCAL lock_timeout = '100ms'", [])
    }

    /// Has the clock read with the statements that travel next, if it was not read yet: for a verb that reads, in the place of a trip
    /// for the clock alone.
    func bringClock() throws(PostgresFailure) {
        if databaseTime == nil { try readClock() }
    }

    /// When the transaction began or last read the clock, by one clock.
    func now() throws -> NumericDate {
        if let time { return time }
        let answer = try databaseTime ?? connection.send(Self.databaseClock, [])
        databaseTime = answer
        guard let row = try answer.rows().first else { throw PostgresFailure.notSent }
        return try row.date("now")
    }

    /// Puts a statement among those that travel next. Its failure shows in whatever is looked at next, or at the commit.
    @discardableResult
    func send(_ sql: String, _ values: PostgresValue...) throws(PostgresFailure) -> PostgresAnswer {
        try connection.send(sql, values)
    }

    /// Sends a statement and waits for its rows.
    func rows(_ sql: String, _ values: PostgresValue...) throws(PostgresFailure) -> PostgresRows {
        try connection.send(sql, values).rows()
    }

    /// As ``rows(_:_:)``, for a statement that is put together with its parameters.
    func rows(_ sql: String, values: [PostgresValue]) throws(PostgresFailure) -> PostgresRows {
        try connection.send(sql, values).rows()
    }

    /// Sends a statement that finds one row, which nobody else changes until this is over. In a transaction of several verbs none waits
    /// for it.
    func lockRow(_ sql: String, _ values: PostgresValue...) throws(PostgresFailure) -> PostgresAnswer {
        try connection.send(sql + (isShared ? " FOR NO KEY UPDATE SKIP LOCKED" : " FOR NO KEY UPDATE"), values)
    }

    /// The row that was locked, or nil if there is none.
    ///
    /// - Throws: `passedOver` if several verbs have the transaction and the row was not to be had.
    func lockedRow(_ answer: PostgresAnswer) throws(PostgresFailure) -> PostgresRow? {
        let row = try answer.rows().first
        if row == nil, isShared { throw .passedOver }
        return row
    }

    /// Writes `event` down in the audit log, with what else is committed.
    func append(_ event: AuditEvent) throws {
        try auditChain.append(event, at: now(), in: self)
    }

    /// Commits what was written, with the statements that have not travelled yet.
    func commit() throws(PostgresFailure) {
        guard isWriting else { return try connection.travel() }
        let answer = try connection.send("COMMIT", [])
        let command: String
        do throws(PostgresFailure) {
            command = try answer.rows().command
        } catch .connectionLost, .notSent {
            // It may have left for the server before the rest of what was to travel failed.
            throw .connectionLost(committing: true)
        }
        // A transaction that had failed would answer ROLLBACK.
        guard command == "COMMIT" else { throw .notSent }
        connection.auditChain = auditChain
    }
}
