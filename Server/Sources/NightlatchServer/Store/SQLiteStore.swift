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

    /// Closes the file. Verbs that come later throw.
    ///
    /// - Throws: ``StoreError`` if a verb is still under way.
    public func close() throws(StoreError) {
        do {
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

    public func checkReadiness() async throws(StoreError) {
        do {
            try await pool.writeWithoutTransaction { database in
                // Reading would not notice a file that may not be written or that another process keeps locked.
                try database.inTransaction(.immediate) {
                    try database.execute(sql: "UPDATE user SET created_at = created_at WHERE FALSE")
                    return .rollback
                }
            }
        } catch {
            throw StoreError(error)
        }
    }

    public func purgeExpired() async throws(StoreError) {
        let now = clock.now()
        try await write { database in
            try Self.purge(database, now: now)
            // Spent tokens only show reuse. One as old as this is refused all the same.
            try database.execute(
                sql: """
                    DELETE FROM refresh_token WHERE issued_at < ? AND NOT EXISTS (
                        SELECT 1 FROM refresh_family WHERE id = family_id AND (current_hash = hash OR previous_hash = hash)
                    )
                    """,
                arguments: [now.secondsSince1970 - Int(StoreRetention.spentRefreshToken.components.seconds)])
        }
    }

    static func purge(_ database: Database, now: NumericDate) throws {
        let now = now.secondsSince1970
        try database.execute(
            sql: "DELETE FROM used_challenge WHERE expires_at < ?",
            arguments: [now - Int(ChallengeUse.retention.components.seconds)])
        try database.execute(
            sql: "DELETE FROM enrolment_code WHERE expires_at < ?",
            arguments: [now - Int(StoreRetention.enrolmentCode.components.seconds)])
        try database.execute(sql: "DELETE FROM refresh_family WHERE expires_at < ?", arguments: [now])
    }
}
