import Foundation
import NightlatchRelyingParty
import NightlatchWire

/// What one thread of a pool works with: a connection, which it makes anew when it is lost.
final class PostgresWorker {
    /// How often a transaction is tried that meets others.
    private static let attemptLimit = 10

    private let session: PostgresSession
    private var connection: PostgresConnection?

    init(session: PostgresSession) {
        self.session = session
    }

    func disconnect() { connection = nil }

    /// Carries a verb out, whole or not at all.
    ///
    /// It is tried again where it is known that nothing was committed: after a conflict with another transaction, and once after
    /// a connection was lost before the commit, as all are when the server was restarted.
    func perform<Value>(
        writing: Bool,
        time: NumericDate?,
        _ verb: (PostgresTransaction) throws -> Value
    ) -> Result<Value, StoreError> {
        var (attempt, hasReconnected) = (1, false)
        // Ends: after `attemptLimit` conflicts and one lost connection.
        while true {
            do {
                return .success(try performOnce(writing: writing, shared: false, time: time, verb))
            } catch let failure as PostgresFailure {
                if failure.isConflict, attempt < Self.attemptLimit {
                    attempt += 1
                    // Two that met would meet again.
                    Thread.sleep(forTimeInterval: .random(in: 0...0.002) * Double(attempt))
                } else if case .connectionLost(committing: false) = failure, !hasReconnected {
                    hasReconnected = true
                } else {
                    return .failure(StoreError(failure))
                }
            } catch {
                return .failure(error as? StoreError ?? StoreError(.defect))
            }
        }
    }

    /// Carries a verb out or, if `shared`, those of a group: whole or not at all. It is tried once.
    ///
    /// - Throws: ``PostgresFailure``, or what the verb threw. Nothing was committed, unless it is `connectionLost(committing: true)`.
    func performOnce<Value>(
        writing: Bool,
        shared: Bool,
        time: NumericDate?,
        _ verb: (PostgresTransaction) throws -> Value
    ) throws -> Value {
        try PostgresMetrics.withConnection {
            let connection = try usableConnection()
            do {
                let transaction = try PostgresTransaction(
                    on: connection, writing: writing, shared: shared, time: time)
                let value = try verb(transaction)
                try transaction.commit()
                return value
            } catch {
                clearUp(after: error, writing: writing)
                throw error
            }
        }
    }

    private func usableConnection() throws(PostgresFailure) -> PostgresConnection {
        if let connection, connection.isQuiet { return connection }
        connection = nil
        let new = try PostgresConnection(session)
        connection = new
        return new
    }

    /// Leaves a connection with no transaction open, or none.
    private func clearUp(after error: any Error, writing: Bool) {
        guard Self.isConnectionGood(after: error) else {
            connection = nil
            return
        }
        do {
            // What was sent and has not travelled may fail, and then the server leaves out what stands behind it.
            do throws(PostgresFailure) { try connection?.travel() } catch .statement {}
            guard writing else { return }
            try connection?.send("ROLLBACK", [])
            try connection?.travel()
        } catch {
            connection = nil
        }
    }

    /// Whether a connection can go on after its transaction is rolled back.
    private static func isConnectionGood(after error: any Error) -> Bool {
        switch error {
        // A server that may only be read can have become a standby: the next connection is to find the one that has taken its place.
        case PostgresFailure.statement(let sqlState): sqlState != "25006"
        // What a verb found is no matter of the connection.
        case is StoreError: true
        default: false
        }
    }
}
