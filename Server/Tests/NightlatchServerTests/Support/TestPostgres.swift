import Foundation
import Logging
import NightlatchPostgres
import NightlatchPostgresCluster
import NightlatchRelyingParty
import Testing

/// Stores on the PostgreSQL server that all tests of a run share, in schemas that no two share.
enum TestPostgres {
    static func newSchema() -> String { "test_" + UUID().uuidString.replacing("-", with: "").lowercased() }

    /// - Parameters:
    ///   - address: Where; nil for the server that all share.
    ///   - schema: The schema, a new one if nothing else is said.
    ///   - connectionCount: How many connections: enough for verbs to meet, and few, since all tests run at once.
    ///   - statementLimit: How long a statement may take.
    ///   - clock: What time it is; nil for the database's own time.
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
