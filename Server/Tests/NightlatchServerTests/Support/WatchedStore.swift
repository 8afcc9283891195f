import GRDB
import NightlatchPostgres
import NightlatchPostgresCluster
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServerTesting

/// A store on a database whose rows a test can read.
struct WatchedStore {
    let store: any RelyingPartyStore
    /// Returns the rows of each table, sorted, so that their order of writing does not matter. Bytes are in hexadecimal
    /// digits.
    let rows: @Sendable () async throws -> [String: [String]]
    /// Runs a statement, as another program would.
    let run: @Sendable (String) async throws -> Void

    enum Kind: String, CaseIterable, Sendable {
        case sqlite
        case postgres
    }

    static func with(_ kind: Kind, _ body: (WatchedStore) async throws -> Void) async throws {
        switch kind {
        case .sqlite:
            try await TemporaryFolder.with { folder in
                let path = folder + "/store.sqlite"
                let store = try SQLiteStore(path: path, clock: TestTime.clock)
                try await body(
                    WatchedStore(
                        store: store, rows: { try await rows(inFile: path) },
                        run: { sql in try await DatabaseQueue(path: path).write { try $0.execute(sql: sql) } }))
                try store.close()
            }
        case .postgres:
            let schema = TestPostgres.newSchema()
            let store = try await TestPostgres.open(schema: schema)
            defer { store.close() }
            try await body(
                WatchedStore(
                    store: store, rows: { try await rows(inSchema: schema) },
                    run: { sql in
                        _ = try await PostgresCluster.shared.query("SET search_path TO \(schema); \(sql)")
                    }))
        }
    }

    private static func rows(inFile path: String) async throws -> [String: [String]] {
        try await DatabaseQueue(path: path).read { database in
            let tables = try String.fetchAll(
                database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            return try Dictionary(
                uniqueKeysWithValues: tables.map { table in
                    (table, try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map(text).sorted())
                })
        }
    }

    private static func text(of row: Row) -> String {
        row.map { column, value in
            let text =
                if case .blob(let data) = value.storage {
                    data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
                } else {
                    value.description
                }
            return "\(column):\(text)"
        }.joined(separator: " ")
    }

    private static func rows(inSchema schema: String) async throws -> [String: [String]] {
        let cluster = try await PostgresCluster.shared
        let tables = try await cluster.query("SELECT tablename FROM pg_tables WHERE schemaname = '\(schema)'")
        var rows: [String: [String]] = [:]
        for table in tables.split(separator: "\n") {
            let text = try await cluster.query("SELECT row::text FROM \(schema).\(table) AS row")
            rows[String(table)] = text.split(separator: "\n").map(String.init).sorted()
        }
        return rows
    }
}
