import CPostgres
import Foundation

/// A connection to a PostgreSQL server, used only by the thread that made it.
///
/// It is in [pipeline mode](https://www.postgresql.org/docs/current/libpq-pipeline-mode.html): statements are queued,
/// and sent together when the first answer is read. A verb therefore takes two round trips: one for the reads, one for
/// the writes and the commit. Every wait is bounded: the server cancels a slow statement, and a connection to a silent
/// server is closed.
///
/// Safe to hold: libpq's handle is never shared, and is finished in `deinit`.
@safe
final class PostgresConnection {
    private let handle: OpaquePointer
    /// The names of the prepared statements, by their text.
    private var prepared: [String: String] = [:]
    private var underway: [PostgresAnswer] = []
    private var statementNumber = 0
    /// The time limit of a round trip. It is longer than the server's limit for a statement.
    private let tripLimit: Duration
    /// The audit chain that only this connection writes, up to its last committed entry.
    var auditChain = PostgresAuditChain()

    /// Connects and configures the session.
    init(_ session: PostgresSession) throws(PostgresFailure) {
        tripLimit = session.statementLimit * 2
        guard let handle = unsafe session.connect() else { throw .notConnected }
        unsafe self.handle = unsafe handle
        // All stored properties are set, so `deinit` closes the connection on any error below.
        guard unsafe PQstatus(handle) == CONNECTION_OK else {
            session.log.noteFailure(unsafe String(cString: PQerrorMessage(handle)))
            throw .notConnected
        }
        guard unsafe PQsetnonblocking(handle, 1) == 0, unsafe PQenterPipelineMode(handle) == 1 else {
            throw .notConnected
        }
        for (name, value) in session.settings {
            try send("SELECT set_config($1, $2, false)", [.text(name), .text(value)])
        }
        try send(PostgresSession.durability, [])
        try travel()
        session.log.noteSuccess()
    }

    deinit { unsafe PQfinish(handle) }

    /// Whether the connection can be used.
    ///
    /// Between verbs, the server sends data only when it ends the connection or when the server's configuration was
    /// changed. In both cases a new connection is needed.
    var isQuiet: Bool {
        var descriptor = unsafe pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        return unsafe PQstatus(handle) == CONNECTION_OK && poll(&descriptor, 1, 0) == 0
    }

    /// Queues a statement.
    @discardableResult
    func send(_ sql: String, _ values: [PostgresValue]) throws(PostgresFailure) -> PostgresAnswer {
        let name = if let known = prepared[sql] { known } else { try prepare(sql, values) }
        let parameters = PostgresParameters(values)
        let isSent = unsafe parameters.withPointers { pointers in
            unsafe PQsendQueryPrepared(
                handle, name, Int32(values.count), pointers, parameters.lengths, parameters.formats, 1)
        }
        guard isSent == 1 else { throw lostOrNotSent }
        let answer = PostgresAnswer(of: self)
        underway.append(answer)
        return answer
    }

    /// Sends all queued statements and reads their answers. If a statement fails, the server skips those after it.
    func travel() throws(PostgresFailure) {
        let answers = underway
        underway = []
        guard !answers.isEmpty else { return }
        guard unsafe PQpipelineSync(handle) == 1 else { throw lostOrNotSent }
        let deadline = ContinuousClock.now + tripLimit
        var failure: PostgresFailure?
        for answer in answers {
            do throws(PostgresFailure) {
                try receive(answer, by: deadline)
            } catch .statement(let sqlState) {
                failure = failure ?? .statement(sqlState: sqlState)
            }
        }
        let end = unsafe try nextResult(by: deadline)
        defer { unsafe PQclear(end) }
        guard unsafe PQresultStatus(end) == PGRES_PIPELINE_SYNC else { throw .connectionLost(committing: false) }
        if let failure { throw failure }
    }

    /// Queues the preparation of a statement, and returns its name. If the preparation fails, the name is dropped.
    private func prepare(_ sql: String, _ values: [PostgresValue]) throws(PostgresFailure) -> String {
        statementNumber += 1
        let name = "s\(statementNumber)"
        guard unsafe PQsendPrepare(handle, name, sql, Int32(values.count), values.map(\.typeID)) == 1 else {
            throw lostOrNotSent
        }
        prepared[sql] = name
        underway.append(PostgresAnswer(of: self, preparing: sql))
        return name
    }

    private func receive(_ answer: PostgresAnswer, by deadline: ContinuousClock.Instant) throws(PostgresFailure) {
        guard let result = unsafe try nextResult(by: deadline) else { throw .connectionLost(committing: false) }
        // The rows own the result from here on.
        let rows = unsafe PostgresRows(result)
        // A null result follows each answer.
        while let surplus = unsafe try nextResult(by: deadline) { unsafe PQclear(surplus) }
        switch unsafe PQresultStatus(result) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK: answer.receive(rows)
        case PGRES_PIPELINE_ABORTED: forgetStatement(of: answer)
        default:
            forgetStatement(of: answer)
            guard unsafe PQstatus(handle) == CONNECTION_OK else { throw .connectionLost(committing: false) }
            throw .statement(sqlState: rows.sqlState)
        }
    }

    private func forgetStatement(of answer: PostgresAnswer) {
        if let sql = answer.preparing { prepared[sql] = nil }
    }

    /// Returns the next result; nil at the end of a statement's results.
    private func nextResult(by deadline: ContinuousClock.Instant) throws(PostgresFailure) -> OpaquePointer? {
        var isUnsent = unsafe PQflush(handle)
        while unsafe PQisBusy(handle) == 1 {
            let left = (deadline - ContinuousClock.now) / .milliseconds(1)
            guard left > 0, isUnsent >= 0 else { throw .connectionLost(committing: false) }
            let events = Int16(POLLIN) | (isUnsent == 1 ? Int16(POLLOUT) : 0)
            var descriptor = unsafe pollfd(fd: PQsocket(handle), events: events, revents: 0)
            let count = unsafe poll(&descriptor, 1, Int32(left.rounded(.up)))
            guard count > 0 else { continue }
            if descriptor.revents & ~Int16(POLLOUT) != 0, unsafe PQconsumeInput(handle) == 0 {
                throw .connectionLost(committing: false)
            }
            if isUnsent == 1 { isUnsent = unsafe PQflush(handle) }
        }
        return unsafe PQgetResult(handle)
    }

    private var lostOrNotSent: PostgresFailure {
        unsafe PQstatus(handle) == CONNECTION_OK ? .notSent : .connectionLost(committing: false)
    }
}
