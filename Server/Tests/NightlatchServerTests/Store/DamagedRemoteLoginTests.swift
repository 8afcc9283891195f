import GRDB
import NightlatchPostgres
import NightlatchPostgresCluster
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("A damaged row of a remote login")
struct DamagedRemoteLoginTests {
    /// Changes after which the row is no remote login that a store wrote.
    static let changes = [
        "details = '{}'", "details = replace(details, '192.0.2.7', '')", "number = '4'", "number = NULL",
        "details = replace(details, 'true', 'false')", "expires_at = expires_at + 1",
    ]

    /// Changes that the table refuses: a state that no store writes, and a decision without its device.
    static let refusedChanges = [
        "state = 'expired'", "state = 'confirmed', device_id = NULL", "state = 'completed', device_id = NULL",
        "state = 'pending'",
    ]

    /// Checks that each verb reports the damage, and records nothing.
    private func expectDamage(of login: RemoteLogin, by device: DeviceID, in store: some RelyingPartyStore) async throws
    {
        let corrupt = RelyingPartyStoreError(.corrupt)
        await #expect(throws: corrupt) { try await store.remoteLogin(login.id) }
        await #expect(throws: corrupt) { try await store.openRemoteLogin(login) }
        await #expect(throws: corrupt) {
            try await store.decideRemoteLogin(
                TestRemoteLogin.decision(.reject, on: login, by: device), consuming: Fixture.use())
        }
        let completion = TestRemoteLogin.grant(of: login.id)
        await #expect(throws: corrupt) { try await store.completeRemoteLogin(completion) }
        #expect(try await store.journeySession(completion.session) == nil)
    }

    /// Records a confirmed remote login of an app.
    private func confirmedLogin(in store: some RelyingPartyStore) async throws -> (RemoteLogin, DeviceID) {
        let alice = try Fixture.alice()
        let device = try await store.bind(TestDevice(), to: alice)
        _ = try await store.putApp(TestApp.new(ClientID.default.rawValue), replacing: nil, by: .operator)
        let login = try TestRemoteLogin.new(of: alice)
        try await store.remoteLogin(login, confirmedBy: device)
        return (login, device)
    }

    @Test("It is reported as damage by SQLite, and logs no user in", arguments: changes)
    func sqlite(change: String) async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let store = try SQLiteStore(path: path, clock: TestTime.clock)
            let (login, device) = try await confirmedLogin(in: store)
            let file = try DatabaseQueue(path: path)
            try await file.write { try $0.execute(sql: "UPDATE remote_login SET " + change) }
            for refused in Self.refusedChanges {
                await #expect(throws: DatabaseError.self) {
                    try await file.write { try $0.execute(sql: "UPDATE remote_login SET " + refused) }
                }
            }
            try file.close()
            try await expectDamage(of: login, by: device, in: store)
            try store.close()
        }
    }

    @Test("It is reported as damage by PostgreSQL, and logs no user in", arguments: changes)
    func postgres(change: String) async throws {
        let (cluster, schema) = (try await PostgresCluster.shared, TestPostgres.newSchema())
        let store = try await TestPostgres.open(schema: schema)
        defer { store.close() }
        let (login, device) = try await confirmedLogin(in: store)
        try await cluster.query("UPDATE \(schema).remote_login SET " + change)
        for refused in Self.refusedChanges {
            await #expect(throws: (any Error).self) {
                try await cluster.query("UPDATE \(schema).remote_login SET " + refused)
            }
        }
        try await expectDamage(of: login, by: device, in: store)
    }
}
