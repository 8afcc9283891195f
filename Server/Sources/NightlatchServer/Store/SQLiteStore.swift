import Foundation
import GRDB
import NightlatchWire

/// A store in one SQLite file, for any number of processes on one machine.
///
/// A verb that has returned is on disk: the file is in WAL mode with `synchronous=FULL`, so it outlives the process and the
/// machine's power. Writers take turns; one that waits longer than five seconds throws ``StoreError`` `unavailable`.
public struct SQLiteStore: RelyingPartyStore {
    let pool: DatabasePool
    let clock: WallClock
    let trail = AuditTrail()

    /// Opens the file at `path`, makes it (readable by its owner alone) if there is none, and brings its schema up to date.
    /// Any number of processes may do so at once.
    ///
    /// - Throws: ``StoreError``; the file is as it was or is of a finished schema version.
    public init(path: String, clock: WallClock = .system) throws(StoreError) {
        try self.init(path: path, clock: clock, pragmas: [])
    }

    /// As ``init(path:clock:)``, with the writing connection set up further once the schema is there.
    package init(path: String, clock: WallClock, pragmas: [String]) throws(StoreError) {
        self.clock = clock
        do {
            try SQLiteFile.create(at: path)
            pool = try SQLiteFile.pool(at: path)
            try SQLiteSchema.migrate(pool)
            try pool.writeWithoutTransaction { database in
                for pragma in pragmas { try database.execute(sql: "PRAGMA " + pragma) }
            }
        } catch {
            throw StoreError(error)
        }
    }

    /// Closes the file, which then holds all by itself, unless another process has it open. Verbs that come later throw.
    ///
    /// - Throws: ``StoreError`` if a verb is still under way.
    public func close() throws(StoreError) {
        do {
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

    /// Runs `transaction`, which takes the write lock at its start, so what it reads still holds when it writes.
    func write<Value: Sendable>(
        _ transaction: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        do {
            return try await pool.write(transaction)
        } catch {
            throw StoreError(error)
        }
    }

    func read<Value: Sendable>(
        _ transaction: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        do {
            return try await pool.read(transaction)
        } catch {
            throw StoreError(error)
        }
    }
}
