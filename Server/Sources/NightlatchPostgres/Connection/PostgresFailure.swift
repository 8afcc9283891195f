import NightlatchRelyingParty

/// What went wrong on a connection, by what the worker does about it.
enum PostgresFailure: Error {
    /// The server did not carry out a statement. The connection is good, its transaction is to be rolled back.
    case statement(sqlState: String)
    /// A transaction of a group did not get a row that one of its verbs hangs on: somebody else holds it, or it is gone. The
    /// transaction is good for the others.
    case passedOver
    /// There is no connection, or the server said nothing for longer than any statement may take. Nothing was committed, unless
    /// the commit was on its way.
    case connectionLost(committing: Bool)
    /// No connection could be made.
    case notConnected
    /// libpq did not take a statement: no memory, or a defect of this program.
    case notSent

    /// Whether two transactions met, so that the same again may go well at once: serialisation failure, deadlock, and a row
    /// that another transaction has just made (the next attempt sees it).
    var isConflict: Bool {
        if case .statement(let sqlState) = self { ["40001", "40P01", "23505"].contains(sqlState) } else { false }
    }
}

extension StoreError {
    /// What the failure means to the caller.
    init(_ failure: PostgresFailure) {
        switch failure {
        case .statement(let sqlState): self.init(Self.kind(ofSQLState: sqlState), sqlState: sqlState)
        case .connectionLost, .notConnected, .notSent, .passedOver: self.init(.unavailable)
        }
    }

    /// [PostgreSQL's error codes](https://www.postgresql.org/docs/current/errcodes-appendix.html), by class where a class is of
    /// one kind.
    private static func kind(ofSQLState sqlState: String) -> Kind {
        switch sqlState {
        case "53100": .full
        // A standby, or a role that may not write.
        case "25006", "42501": .readOnly
        case "XX001", "XX002": .corrupt
        // Waited too long for a lock, or cut off by a timeout.
        case "55P03", "57014": .unavailable
        // An error within PostgreSQL, such as a file that it could not make longer for another reason than a full disk. It is none of this
        // program, and may pass.
        case "XX000": .unavailable
        // A unique value that is still taken when nobody else is about.
        case "23505": .defect
        default:
            switch sqlState.prefix(2) {
            // Connection, transaction state, rollback, resources, operator's intervention, system.
            case "08", "25", "40", "53", "57", "58": .unavailable
            default: .defect
            }
        }
    }
}
