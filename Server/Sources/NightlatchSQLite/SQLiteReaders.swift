import Foundation
import GRDB
import Synchronization

/// Read-only connections, one for each processor, from 2 to 16.
///
/// Reads run on the calling thread: a row is in memory or one disk access away, and switching to another thread would
/// cost more. Readers do not wait for writers. A `DatabasePool` would check before each read whether the schema has
/// changed, which costs as much as the read. Prepared statements detect a changed schema by themselves.
struct SQLiteReaders: Sendable {
    private let connections: [DatabaseQueue]
    private let turn = Turn()

    private final class Turn: Sendable {
        let number = Atomic(0)
    }

    /// Opens the file at `path`, which must be in WAL mode already.
    init(path: String) throws {
        var configuration = Configuration()
        configuration.label = "nightlatch.reader"
        configuration.readonly = true
        configuration.busyMode = .timeout(TimeInterval(SQLiteFile.lockPatience))
        let count = min(max(2, ProcessInfo.processInfo.activeProcessorCount), 16)
        connections = try (0..<count).map { _ in try DatabaseQueue(path: path, configuration: configuration) }
    }

    /// Runs a single statement, which always sees one state of the database.
    func readOnce<Value>(_ statement: (Database) throws -> Value) throws -> Value {
        try connection.unsafeRead(statement)
    }

    /// Runs statements that all see the same state of the database.
    func read<Value>(_ statements: (Database) throws -> Value) throws -> Value {
        // `DatabaseQueue.read` accesses its connection before any statement runs, and crashes if the connection is
        // closed. Running a statement on a closed connection throws.
        try connection.unsafeRead { database in
            try database.beginTransaction(.deferred)
            do {
                let value = try statements(database)
                try database.commit()
                return value
            } catch {
                try database.rollback()
                throw error
            }
        }
    }

    func close() throws {
        for connection in connections { try connection.close() }
    }

    private var connection: DatabaseQueue {
        connections[(turn.number.wrappingAdd(1, ordering: .relaxed).oldValue & .max) % connections.count]
    }
}
