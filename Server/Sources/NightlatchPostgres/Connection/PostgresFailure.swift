import NightlatchRelyingParty

/// An error of a connection. The cases differ in what the worker does next.
enum PostgresFailure: Error {
    /// The server refused a statement. The connection is usable; its transaction must be rolled back.
    case statement(sqlState: String)
    /// A verb in a group's transaction did not get the row that it depends on: another transaction has locked it, or it
    /// does not exist. The other verbs can still use the transaction.
    case passedOver
    /// The connection was lost, or the server was silent for longer than any statement may take. Nothing was committed,
    /// unless the commit was being sent.
    case connectionLost(committing: Bool)
    /// Connecting failed.
    case notConnected
    /// libpq did not accept a statement: no memory, or a defect of this program.
    case notSent

    /// Whether two transactions conflicted, so that a retry may succeed at once: a serialisation failure, a deadlock,
    /// or a row that another transaction has just inserted or deleted (the retry sees that).
    var isConflict: Bool {
        if case .statement(let sqlState) = self {
            ["40001", "40P01", "23505", "23503"].contains(sqlState)
        } else {
            false
        }
    }
}

extension RelyingPartyStoreError {
    /// Converts an error of a connection to an error for the store's caller.
    init(_ failure: PostgresFailure) {
        switch failure {
        case .statement(let sqlState): self.init(Self.kind(ofSQLState: sqlState), sqlState: sqlState)
        case .connectionLost, .notConnected, .notSent, .passedOver: self.init(.unavailable)
        }
    }

    /// Classifies [PostgreSQL's error codes](https://www.postgresql.org/docs/current/errcodes-appendix.html), by class
    /// if all codes of a class are of one kind.
    private static func kind(ofSQLState sqlState: String) -> Kind {
        switch sqlState {
        case "53100": .full
        // A standby server, or a role without the right to write.
        case "25006", "42501": .readOnly
        case "XX001", "XX002": .corrupt
        // Waited too long for a lock, or cancelled by a timeout.
        case "55P03", "57014": .unavailable
        // An internal error of PostgreSQL, such as a file that it could not extend although the disk has room. The
        // cause may be temporary.
        case "XX000": .unavailable
        // A unique value that is still taken after all retries.
        case "23505": .defect
        default:
            switch sqlState.prefix(2) {
            // Connection, transaction state, rollback, resources, operator intervention, system.
            case "08", "25", "40", "53", "57", "58": .unavailable
            default: .defect
            }
        }
    }
}
