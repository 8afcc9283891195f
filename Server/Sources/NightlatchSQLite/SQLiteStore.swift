import Foundation
import GRDB
public import NightlatchRelyingParty
import NightlatchWire

/// A store in one SQLite file, for any number of processes on one machine.
///
/// When a verb returns, its effect is on disk: the file is in WAL mode with `synchronous=FULL`, so the effect survives
/// a crash of the process and a power failure. Verbs that wait at the same time are committed together. Processes take
/// turns at writing; a verb that waits longer than five seconds throws `RelyingPartyStoreError` `unavailable`.
public struct SQLiteStore: RelyingPartyStore {
    let clock: WallClock
    let observedClock: ObservedClock
    private let pool: DatabasePool
    private let commitGroups: SQLiteCommitGroups
    private let readers: SQLiteReaders
    let trail = AuditTrail()
    let auditHead: SQLiteAuditHead

    /// Opens the file at `path` and migrates its schema. If there is no file, creates one that only its owner can read.
    ///
    /// Any number of processes may open the same file at the same time.
    ///
    /// - Throws: `RelyingPartyStoreError`; the file is unchanged or has a complete schema version.
    public init(path: String, clock: WallClock = .system) throws(RelyingPartyStoreError) {
        try self.init(path: path, clock: clock, pragmas: [])
    }

    /// Like ``init(path:clock:)``, but also applies `pragmas` to the writing connection once the schema is complete.
    package init(path: String, clock: WallClock, pragmas: [String]) throws(RelyingPartyStoreError) {
        self.clock = clock
        observedClock = ObservedClock(uptime: clock.uptime)
        do {
            try SQLiteFile.create(at: path)
            let pool = try SQLiteFile.pool(at: path)
            try SQLiteSchema.migrate(pool)
            try pool.writeWithoutTransaction { database in
                for pragma in pragmas { try database.execute(sql: "PRAGMA " + pragma) }
            }
            self.pool = pool
            let auditHead = SQLiteAuditHead()
            self.auditHead = auditHead
            commitGroups = SQLiteCommitGroups(pool: pool) { auditHead.forget() }
            readers = try SQLiteReaders(path: path)
        } catch {
            throw RelyingPartyStoreError(error)
        }
    }

    /// Closes the file. Later verbs throw.
    ///
    /// Unless another process has the file open, the file then contains all data, and its WAL is empty.
    ///
    /// - Throws: `RelyingPartyStoreError` if a verb is still running.
    public func close() throws(RelyingPartyStoreError) {
        do {
            try readers.close()
            try pool.writeWithoutTransaction { database in
                // SQLite copies the WAL to the file when the last connection closes, but `pool` closes a read-only
                // connection last, which cannot write. The WAL is therefore copied here.
                try database.execute(sql: "PRAGMA busy_timeout = 1000")
                do {
                    try database.checkpoint(.truncate)
                } catch DatabaseError.SQLITE_BUSY, DatabaseError.SQLITE_LOCKED {
                    // Another process still uses the file and its WAL.
                }
            }
            try pool.close()
        } catch {
            throw RelyingPartyStoreError(error)
        }
    }

    /// Returns a SQLite setting of the writing connection.
    package func pragma(_ name: String) throws -> String? {
        try pool.writeWithoutTransaction { database in try String.fetchOne(database, sql: "PRAGMA \(name)") }
    }

    /// Runs `transaction` with the write lock, so that values that it has read cannot change before it writes.
    ///
    /// `transaction` may run twice; the first run is then rolled back. It must therefore have no effects except on the
    /// database and on `auditHead`.
    func write<Value: Sendable>(
        measuredAs verb: String? = #function,
        _ transaction: @escaping @Sendable (Database) throws -> Value
    ) async throws(RelyingPartyStoreError) -> Value {
        try await StoreMetrics.measure(verb) { () async throws(RelyingPartyStoreError) in
            try await commitGroups.write(transaction)
        }
    }

    /// Runs `transaction` like the other `write`, and passes the time at which the transaction runs.
    ///
    /// The transaction uses this time to refuse effects that must not happen after a long wait.
    func write<Value: Sendable>(
        measuredAs verb: String? = #function,
        _ transaction: @escaping @Sendable (Database, NumericDate) throws -> Value
    ) async throws(RelyingPartyStoreError) -> Value {
        let (now, start) = (clock.now(), ContinuousClock.now)
        return try await write(measuredAs: verb) { database in
            try transaction(database, now + (ContinuousClock.now - start))
        }
    }

    /// Runs `statements`, which all see the same state of the database.
    func read<Value>(
        measuredAs verb: String? = #function,
        _ statements: (Database) throws -> Value
    ) throws(RelyingPartyStoreError) -> Value {
        try StoreMetrics.measure(verb) { () throws(RelyingPartyStoreError) in
            do {
                return try readers.read(statements)
            } catch {
                throw RelyingPartyStoreError(error)
            }
        }
    }

    /// Runs a single statement.
    func readOnce<Value>(
        measuredAs verb: String? = #function,
        _ statement: (Database) throws -> Value
    ) throws(RelyingPartyStoreError) -> Value {
        try StoreMetrics.measure(verb) { () throws(RelyingPartyStoreError) in
            do {
                return try readers.readOnce(statement)
            } catch {
                throw RelyingPartyStoreError(error)
            }
        }
    }
}
