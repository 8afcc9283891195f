import Foundation
import GRDB
import Synchronization

/// Connections that only read, as many as processors that can use one.
///
/// Reading happens at once, on the thread that asks: a row lies in memory, or a look at the disk away, and to wait on another
/// thread for it would cost more. Readers do not wait for writers. A `DatabasePool` would look before each read whether the schema
/// has changed, which costs as much as the read; statements that are prepared find out by themselves.
struct SQLiteReaders: Sendable {
    private let connections: [DatabaseQueue]
    private let turn = Turn()

    private final class Turn: Sendable {
        let number = Atomic(0)
    }

    /// Opens the file at `path`, which is in WAL mode already.
    init(path: String) throws {
        var configuration = Configuration()
        configuration.label = "nightlatch.reader"
        configuration.readonly = true
        configuration.busyMode = .timeout(TimeInterval(SQLiteFile.lockPatience))
        let count = min(max(2, ProcessInfo.processInfo.activeProcessorCount), 16)
        connections = try (0..<count).map { _ in try DatabaseQueue(path: path, configuration: configuration) }
    }

    /// Runs a single statement, which sees one state of the database by itself.
    func readOnce<Value>(_ statement: (Database) throws -> Value) throws -> Value {
        try connection.unsafeRead(statement)
    }

    /// Runs statements that all see one state of the database.
    func read<Value>(_ statements: (Database) throws -> Value) throws -> Value {
        // `DatabaseQueue.read` looks into its connection before any statement, which crashes once that is closed. A statement throws.
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
