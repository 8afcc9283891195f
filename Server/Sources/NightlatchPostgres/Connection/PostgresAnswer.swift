/// What a statement that was sent answers: its rows, once it has travelled.
final class PostgresAnswer {
    // The connection lists the answers that it waits for, and outlives the verb that looks at them.
    private unowned let connection: PostgresConnection
    private var received: PostgresRows?
    /// The statement, if all that is asked is to remember it.
    let preparing: String?

    init(of connection: PostgresConnection, preparing: String? = nil) {
        self.connection = connection
        self.preparing = preparing
    }

    func receive(_ rows: PostgresRows) { received = rows }

    /// The rows. All statements that were sent so far travel now, if this one has not yet.
    func rows() throws(PostgresFailure) -> PostgresRows {
        if received == nil { try connection.travel() }
        guard let received else { throw .notSent }
        return received
    }
}
