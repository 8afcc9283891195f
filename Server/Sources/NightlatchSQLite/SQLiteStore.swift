import Foundation
import GRDB
public import NightlatchRelyingParty
import NightlatchWire

/// A store in one SQLite file, for any number of processes on one machine.
///
/// A verb that has returned is on disk: the file is in WAL mode with `synchronous=FULL`, so it outlives the process and the
/// machine's power. Verbs that wait at the same time are committed together. Processes take turns at writing; one that waits
/// longer than five seconds throws `StoreError` `unavailable`.
public struct SQLiteStore: RelyingPartyStore {
    let clock: WallClock
    private let pool: DatabasePool
    private let commitGroups: SQLiteCommitGroups
    private let readers: SQLiteReaders
    let trail = AuditTrail()
    let auditHead: SQLiteAuditHead

    /// Opens the file at `path`, makes it (readable by its owner alone) if there is none, and brings its schema up to date.
    /// Any number of processes may do so at once.
    ///
    /// - Throws: `StoreError`; the file is as it was or is of a finished schema version.
    public init(path: String, clock: WallClock = .system) throws(StoreError) {
        try self.init(path: path, clock: clock, pragmas: [])
    }

    /// As ``init(path:clock:)``, with the writing connection set up further once the schema is there.
    package init(path: String, clock: WallClock, pragmas: [String]) throws(StoreError) {
        self.clock = clock
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
            throw StoreError(error)
        }
    }

    /// Closes the file, which then holds all by itself, unless another process has it open. Verbs that come later throw.
    ///
    /// - Throws: `StoreError` if a verb is still under way.
    public func close() throws(StoreError) {
        do {
            try readers.close()
            try pool.writeWithoutTransaction { database in
                // The last connection to close would do so too, but it is one that may only read.
                try database.execute(sql: "PRAGMA busy_timeout = 1000")
                do {
                    try database.checkpoint(.truncate)
                } catch DatabaseError.SQLITE_BUSY, DatabaseError.SQLITE_LOCKED {
                    // Another process goes on with the file, and with what stands beside it.
                }
            }
            try pool.close()
        } catch {
            throw StoreError(error)
        }
    }

    /// What the writing connection says of one of SQLite's settings.
    package func pragma(_ name: String) throws -> String? {
        try pool.writeWithoutTransaction { database in try String.fetchOne(database, sql: "PRAGMA \(name)") }
    }

    /// Runs `transaction`, whose reads still hold when it writes. It may run twice, of which the first time leaves nothing: it
    /// does nothing but to read and write the database, and to know where the audit log stands in it.
    func write<Value: Sendable>(
        measuredAs verb: String? = #function,
        _ transaction: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await StoreMetrics.measure(verb) { () async throws(StoreError) in
            try await commitGroups.write(transaction)
        }
    }

    /// As ``write(_:)``, with the time at which it is done: for what must not happen any more if it has waited for too long.
    func write<Value: Sendable>(
        measuredAs verb: String? = #function,
        _ transaction: @escaping @Sendable (Database, NumericDate) throws -> Value
    ) async throws(StoreError) -> Value {
        let (now, start) = (clock.now(), ContinuousClock.now)
        return try await write(measuredAs: verb) { database in
            try transaction(database, now + (ContinuousClock.now - start))
        }
    }

    /// Runs `statements`, which see one state of the database.
    func read<Value>(
        measuredAs verb: String? = #function,
        _ statements: (Database) throws -> Value
    ) throws(StoreError) -> Value {
        try StoreMetrics.measure(verb) { () throws(StoreError) in
            do {
                return try readers.read(statements)
            } catch {
                throw StoreError(error)
            }
        }
    }

    /// Runs a single statement.
    func readOnce<Value>(
        measuredAs verb: String? = #function,
        _ statement: (Database) throws -> Value
    ) throws(StoreError) -> Value {
        try StoreMetrics.measure(verb) { () throws(StoreError) in
            do {
                return try readers.readOnce(statement)
            } catch {
                throw StoreError(error)
            }
        }
    }
}
