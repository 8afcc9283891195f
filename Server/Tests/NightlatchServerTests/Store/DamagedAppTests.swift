import GRDB
import NightlatchPostgres
import NightlatchPostgresCluster
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("A damaged row of an app")
struct DamagedAppTests {
    /// Changes after which the row is no app that a store wrote.
    static let changes = [
        "document = '{}'", "document = 'web'", "document = replace(document, 'https', 'javascript')",
        "document = replace(document, '\"web\"', '\"other\"')", "id = 'other'", "id = ''",
        "document = replace(document, '\"none\"', '\"password\"')",
    ]

    @Test("It is reported as damage by SQLite, and is not overwritten", arguments: changes)
    func sqlite(change: String) async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let store = try SQLiteStore(path: path, clock: TestTime.clock)
            _ = try await store.putApp(try TestApp.new("web"), replacing: nil, by: .operator)
            let file = try DatabaseQueue(path: path)
            try await file.write { try $0.execute(sql: "UPDATE app SET " + change) }
            try file.close()
            await #expect(throws: RelyingPartyStoreError(.corrupt)) { try await store.apps() }
            if !change.hasPrefix("id") {
                await #expect(throws: RelyingPartyStoreError(.corrupt)) {
                    try await store.putApp(try TestApp.full("web"), replacing: 1, by: .operator)
                }
            }
            try store.close()
        }
    }

    @Test("It is reported as damage by PostgreSQL, and is not overwritten", arguments: changes)
    func postgres(change: String) async throws {
        let (cluster, schema) = (try await PostgresCluster.shared, TestPostgres.newSchema())
        let store = try await TestPostgres.open(schema: schema)
        defer { store.close() }
        _ = try await store.putApp(try TestApp.new("web"), replacing: nil, by: .operator)
        try await cluster.query("UPDATE \(schema).app SET " + change)
        await #expect(throws: RelyingPartyStoreError(.corrupt)) { try await store.apps() }
        if !change.hasPrefix("id") {
            await #expect(throws: RelyingPartyStoreError(.corrupt)) {
                try await store.putApp(try TestApp.full("web"), replacing: 1, by: .operator)
            }
        }
    }
}
