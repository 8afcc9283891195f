import GRDB
import NightlatchPostgres
import NightlatchPostgresCluster
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("A damaged row of a profile")
struct DamagedProfileTests {
    /// Changes after which the row is no profile that a store wrote.
    static let changes = [
        "document = ''", "document = 'alice'", "document = '[]'", "document = replace(document, '@', ' ')",
        "document = replace(document, 'true', '\"true\"')",
        "document = replace(document, '\"email\"', '\"other\"')",
    ]

    private func check(_ store: any RelyingPartyStore, change: () async throws -> Void) async throws {
        let alice = try Fixture.alice()
        _ = try await store.newCode(for: alice)
        _ = try await store.setProfile(try TestProfile.full(), of: alice, replacing: .absent, by: .operator)
        try await change()
        await #expect(throws: RelyingPartyStoreError(.corrupt)) { try await store.profile(of: alice) }
        for profile in [UserProfile(), nil] {
            await #expect(throws: RelyingPartyStoreError(.corrupt)) {
                try await store.setProfile(profile, of: alice, replacing: .any, by: .operator)
            }
        }
    }

    @Test("It is reported as damage by SQLite, and is not overwritten", arguments: changes)
    func sqlite(change: String) async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let store = try SQLiteStore(path: path, clock: TestTime.clock)
            try await check(store) {
                let file = try DatabaseQueue(path: path)
                try await file.write { try $0.execute(sql: "UPDATE user_profile SET " + change) }
                try file.close()
            }
            try store.close()
        }
    }

    @Test("It is reported as damage by PostgreSQL, and is not overwritten", arguments: changes)
    func postgres(change: String) async throws {
        let (cluster, schema) = (try await PostgresCluster.shared, TestPostgres.newSchema())
        let store = try await TestPostgres.open(schema: schema)
        defer { store.close() }
        try await check(store) { try await cluster.query("UPDATE \(schema).user_profile SET " + change) }
    }
}
