import Foundation
import NightlatchRelyingParty
import NightlatchWire

/// The worker of one thread. It has a connection, and makes a new connection after a loss.
final class PostgresWorker {
    /// The maximum number of attempts at a transaction that conflicts with others.
    private static let attemptLimit = 10

    private let session: PostgresSession
    private var connection: PostgresConnection?

    init(session: PostgresSession) {
        self.session = session
    }

    func disconnect() { connection = nil }

    /// Runs a verb completely or not at all.
    ///
    /// If nothing was committed, the verb runs again: after a conflict with another transaction, and once after the
    /// connection was lost before the commit. All connections are lost when the server restarts.
    func perform<Value>(
        writing: Bool,
        time: NumericDate?,
        _ verb: (PostgresTransaction) throws -> Value
    ) -> Result<Value, RelyingPartyStoreError> {
        var (attempt, hasReconnected) = (1, false)
        // Ends: after `attemptLimit` conflicts and one lost connection.
        while true {
            do {
                return .success(try performOnce(writing: writing, shared: false, time: time, verb))
            } catch let failure as PostgresFailure {
                if failure.isConflict, attempt < Self.attemptLimit {
                    attempt += 1
                    // A random wait, so that two transactions that conflicted do not conflict again.
                    Thread.sleep(forTimeInterval: .random(in: 0...0.002) * Double(attempt))
                } else if case .connectionLost(committing: false) = failure, !hasReconnected {
                    hasReconnected = true
                } else {
                    return .failure(RelyingPartyStoreError(failure))
                }
            } catch {
                return .failure(error as? RelyingPartyStoreError ?? RelyingPartyStoreError(.defect))
            }
        }
    }

    /// Runs a verb, or the verbs of a group if `shared`, completely or not at all. Tries only once.
    ///
    /// - Throws: ``PostgresFailure``, or the error of the verb. Nothing was committed, unless the error is
    ///   `connectionLost(committing: true)`.
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

    /// Ends the open transaction after an error. Drops the connection if it cannot be used again.
    private func clearUp(after error: any Error, writing: Bool) {
        guard Self.isConnectionGood(after: error) else {
            connection = nil
            return
        }
        do {
            // Queued statements may fail, and then the server skips those after them.
            do throws(PostgresFailure) { try connection?.travel() } catch .statement {}
            guard writing else { return }
            try connection?.send("ROLLBACK", [])
            try connection?.travel()
        } catch {
            connection = nil
        }
    }

    /// Returns whether a connection can be used again after its transaction is rolled back.
    private static func isConnectionGood(after error: any Error) -> Bool {
        switch error {
        // A read-only server may have become a standby. A new connection can find the server that replaces it.
        case PostgresFailure.statement(let sqlState): sqlState != "25006"
        // An error of the verb does not affect the connection.
        case is RelyingPartyStoreError: true
        default: false
        }
    }
}
