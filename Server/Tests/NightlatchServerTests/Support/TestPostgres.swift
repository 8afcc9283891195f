import Foundation
import Logging
import NightlatchPostgres
import NightlatchPostgresCluster
import NightlatchRelyingParty
import NightlatchServerTesting
import Testing

/// Stores on the PostgreSQL server that all tests of a run share, each in its own schema.
enum TestPostgres {
    static func newSchema() -> String { "test_" + UUID().uuidString.replacing("-", with: "").lowercased() }

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - address: The address of the server; nil for the shared one.
    ///   - schema: The schema; a new one by default.
    ///   - connectionCount: The number of connections: enough for operations to collide, and few, because all tests
    ///     run at once.
    ///   - statementLimit: The time limit of a statement.
    ///   - clock: The clock; nil for the database's own.
    static func open(
        _ address: String? = nil,
        schema: String = newSchema(),
        connectionCount: Int = 4,
        statementLimit: Duration = .seconds(5),
        clock: WallClock? = TestTime.clock
    ) async throws -> PostgresStore {
        var logger = Logger(label: "nightlatch.postgres")
        logger.logLevel = .critical
        let text = if let address { address } else { try await PostgresCluster.shared.address() }
        return try await PostgresStore.open(
            try #require(PostgresAddress(text)), connectionCount: connectionCount, logger: logger, schema: schema,
            statementLimit: statementLimit, clock: clock)
    }

    /// Calls `body` with an empty store.
    static func withStore(_ body: (PostgresStore) async throws -> Void) async throws {
        let store = try await open()
        defer { store.close() }
        try await body(store)
    }
}
