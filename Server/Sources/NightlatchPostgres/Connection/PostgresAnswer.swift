/// The answer to a statement. It has rows once the server has answered.
final class PostgresAnswer {
    // Unowned, because the connection holds the answers that it waits for. The connection outlives the verb that reads
    // the answers.
    private unowned let connection: PostgresConnection
    private var received: PostgresRows?
    /// The text of the statement that is prepared; nil for a statement that is executed.
    let preparing: String?

    init(of connection: PostgresConnection, preparing: String? = nil) {
        self.connection = connection
        self.preparing = preparing
    }

    func receive(_ rows: PostgresRows) { received = rows }

    /// Returns the rows. If the statement has not been sent yet, sends all queued statements first.
    func rows() throws(PostgresFailure) -> PostgresRows {
        if received == nil { try connection.travel() }
        guard let received else { throw .notSent }
        return received
    }
}
