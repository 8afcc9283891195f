import Foundation
import Logging
import NightlatchPostgres
import NightlatchPostgresCluster
import NightlatchServer
import Testing

/// The PostgreSQL server that all tests of a run share, and schemas in it that no two share.
enum TestPostgres {
    // Tests do not pull the plug of the machine.
    private static let start = Task.detached { try PostgresCluster(settings: ["fsync = off"]) }

    static var cluster: PostgresCluster {
        get async throws { try await start.value }
    }

    static func newSchema() -> String { "test_" + UUID().uuidString.replacing("-", with: "").lowercased() }

    static func open(
        schema: String,
        connectionCount: Int = PostgresStore.defaultConnectionCount,
        cluster: PostgresCluster? = nil
    ) async throws -> PostgresStore {
        var logger = Logger(label: "nightlatch.postgres")
        logger.logLevel = .critical
        let server = if let cluster { cluster } else { try await self.cluster }
        return try await PostgresStore.open(
            try #require(PostgresAddress(server.address())), connectionCount: connectionCount, logger: logger,
            schema: schema,
            clock: TestTime.clock)
    }

    /// Calls `body` with a store that is empty.
    static func withStore(
        schema: String = newSchema(),
        _ body: (PostgresStore) async throws -> Void
    ) async throws {
        let store = try await open(schema: schema)
        defer { store.close() }
        try await body(store)
    }
}
