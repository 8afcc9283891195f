import Foundation
import NightlatchPostgres
import NightlatchPostgresCluster
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("The PostgreSQL store with a server that fails")
struct PostgresFaultTests {
    @Test(
        """
        After a server's restart no operation fails, a server that is down is reported, and all answered writes are \
        kept
        """)
    func restart() async throws {
        let cluster = try await PostgresCluster(settings: ["fsync = off"])
        let store = try await TestPostgres.open(cluster.address())
        defer { store.close() }
        let (alice, device) = (try Fixture.alice(), TestDevice())
        let id = try await store.bind(device, to: alice)
        // So that every connection of the pool is stale afterwards.
        _ = try await inParallel(50) { try await store.checkReadiness() }
        let use = Fixture.use()
        #expect(try await store.recordLogin(device.login(id: id, user: alice), consuming: use) == .loggedIn)

        for isKilled in [false, true] {
            if isKilled { try await cluster.kill() } else { try await cluster.stop() }
            await #expect(throws: RelyingPartyStoreError(.unavailable)) { try await store.checkReadiness() }
            await #expect(throws: RelyingPartyStoreError(.unavailable)) { try await store.device(id, of: alice) }
            try await cluster.start()
            _ = try await inParallel(50) { try await store.checkReadiness() }
            // Now all connections are stale again, and the store has not noticed.
            try await cluster.stop()
            try await cluster.start()
            _ = try await inParallel(50) { try await store.checkReadiness() }
            #expect(try await store.recordLogin(device.login(id: id, user: alice), consuming: use) == .challengeUsed)
            #expect(try await store.device(id, of: alice)?.lastLoginAt == TestTime.current)
        }
        // Every wait ends, even if the connection is lost without notice.
        let impatient = try await TestPostgres.open(
            cluster.address() + "&connect_timeout=2", connectionCount: 1, statementLimit: .seconds(2))
        defer { impatient.close() }
        try await cluster.whileFrozen {
            await #expect(throws: RelyingPartyStoreError(.unavailable)) { try await impatient.checkReadiness() }
        }
        try await impatient.checkReadiness()
    }

    @Test("Connections that an operator ends during operations cause no effect twice")
    func terminatedConnections() async throws {
        let cluster = try await PostgresCluster.shared
        let store = try await TestPostgres.open(
            cluster.address() + "&application_name=terminated", schema: "terminated")
        defer { store.close() }
        let (alice, device) = (try Fixture.alice(), TestDevice())
        let id = try await store.bind(device, to: alice)
        let logins = Task {
            var answered: [Challenge] = []
            for _ in 0..<200 {
                let use = Fixture.use()
                do {
                    let outcome = try await store.recordLogin(device.login(id: id, user: alice), consuming: use)
                    #expect(outcome == .loggedIn)
                    answered.append(use.challenge)
                } catch {
                    // The connection was lost during the commit, so the result is unknown.
                    #expect(error as? RelyingPartyStoreError == RelyingPartyStoreError(.unavailable))
                }
            }
            return answered
        }
        for _ in 0..<10 {
            try await cluster.query(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'terminated'")
        }
        let answered = await logins.value
        let kept = try await cluster.query("SELECT challenge FROM terminated.used_challenge").split(separator: "\n")
        #expect(answered.count > 100)
        #expect(Set(kept.map(String.init)).isSuperset(of: answered.map(\.rawValue)))
    }

    @Test("An operation whose connection is lost before its commit is repeated on another one, once")
    func lostBeforeCommit() async throws {
        let cluster = try await PostgresCluster.shared
        let schema = TestPostgres.newSchema()
        let store = try await TestPostgres.open(
            cluster.address() + "&application_name=" + schema, schema: schema, statementLimit: .seconds(60))
        defer { store.close() }
        let (alice, device, use) = (try Fixture.alice(), TestDevice(), Fixture.use())
        let id = try await store.bind(device, to: alice)
        let waiting = "FROM pg_stat_activity WHERE application_name = '\(schema)' AND wait_event_type = 'Lock'"
        var login: Task<LoginOutcome, any Error>?
        try await cluster.whileLocking("\(schema).device") {
            login = Task { try await store.recordLogin(device.login(id: id, user: alice), consuming: use) }
            try await expectRow("SELECT pg_terminate_backend(pid) \(waiting)", in: cluster)
            try await expectRow("SELECT pid \(waiting)", in: cluster)
        }
        #expect(try await login?.value == .loggedIn)
        #expect(try await store.recordLogin(device.login(id: id, user: alice), consuming: use) == .challengeUsed)
    }

    /// Queries until there is a row. Each query starts a process, so there is no need to sleep in between.
    private func expectRow(_ sql: String, in cluster: PostgresCluster) async throws {
        var isFound = false
        for _ in 0..<500 where !isFound { isFound = try await !cluster.query(sql).isEmpty }
        #expect(isFound, "no answer to \(sql)")
    }

    @Test(
        "A full disk is reported as full and loses no answered write, and operations succeed when there is room again")
    func full() async throws {
        let cluster = try await PostgresCluster(settings: ["fsync = off"])
        let store = try await TestPostgres.open(cluster.address(), schema: "filled")
        defer { store.close() }
        let (alice, device) = (try Fixture.alice(), TestDevice())
        let id = try await store.bind(device, to: alice)
        try await cluster.fillDisk(
            by: """
                INSERT INTO filled.used_challenge SELECT gen_random_uuid(), '\\x00', '\(id.rawValue)', 1900000000
                FROM generate_series(1, 500)
                """)
        var answered: [Challenge] = []
        await #expect(throws: RelyingPartyStoreError(.full)) {
            for _ in 0..<2000 {
                let use = Fixture.use()
                _ = try await store.recordLogin(device.login(id: id, user: alice), consuming: use)
                answered.append(use.challenge)
            }
        }
        #expect(try await store.device(id, of: alice) != nil)
        try await cluster.stop()
        try await cluster.start()
        #expect(try await store.recordLogin(device.login(id: id, user: alice), consuming: Fixture.use()) == .loggedIn)
        let kept = try await cluster.query("SELECT challenge FROM filled.used_challenge").split(separator: "\n")
        #expect(Set(kept.map(String.init)).isSuperset(of: answered.map(\.rawValue)))
    }
}
