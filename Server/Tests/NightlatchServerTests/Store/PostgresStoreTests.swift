import Foundation
import NightlatchPostgres
import NightlatchPostgresCluster
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("The PostgreSQL store")
struct PostgresStoreTests {
    @Test("A challenge logs in once over the connections of two processes")
    func twoPools() async throws {
        let schema = TestPostgres.newSchema()
        let stores = [try await TestPostgres.open(schema: schema), try await TestPostgres.open(schema: schema)]
        defer { for store in stores { store.close() } }
        let (alice, device, use) = (try Fixture.alice(), TestDevice(), Fixture.use())
        let id = try await stores[0].bind(device, to: alice)
        async let left = inParallel(100) {
            try await stores[0].recordLogin(device.login(id: id, user: alice), consuming: use)
        }
        async let right = inParallel(100) {
            try await stores[1].recordLogin(device.login(id: id, user: alice), consuming: use)
        }
        let outcomes = try await left + right
        #expect(outcomes.filter { $0 == .loggedIn }.count == 1)
        #expect(outcomes.filter { $0 == .challengeUsed }.count == 199)
    }

    @Test("A challenge used by many devices at once is accepted once: colliding logins are retried and see it as used")
    func oneChallengeManyDevices() async throws {
        try await TestPostgres.withStore { store in
            let alice = try Fixture.alice()
            var logins: [NewLogin] = []
            for _ in 0..<8 {
                let device = TestDevice()
                logins.append(try device.login(id: try await store.bind(device, to: alice), user: alice))
            }
            for _ in 0..<10 {
                let use = Fixture.use()
                let outcomes = try await withThrowingTaskGroup(of: LoginOutcome.self) { group in
                    for login in logins { group.addTask { try await store.recordLogin(login, consuming: use) } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(outcomes.filter { $0 == .loggedIn }.count == 1)
                #expect(outcomes.filter { $0 == .challengeUsed }.count == 7)
            }
        }
    }

    @Test(
        """
        A key that two users bind at once is bound to one, and the limit of devices also holds for concurrent bindings
        """)
    func bindingRaces() async throws {
        try await TestPostgres.withStore { store in
            let (alice, bob, device) = (try Fixture.alice(), try Fixture.bob(), TestDevice())
            let bindings = [
                try device.binding(user: alice, code: try await store.newCode(for: alice)),
                try device.binding(user: bob, code: try await store.newCode(for: bob)),
            ]
            async let first = store.bind(bindings[0], consuming: Fixture.use())
            async let second = store.bind(bindings[1], consuming: Fixture.use())
            let outcomes = try await [first, second]
            #expect(outcomes.filter { $0 == .keyTaken }.count == 1)
            let taken = try await (store.devices(of: alice) + store.devices(of: bob)).count
            #expect(taken == 1)

            let carol = try #require(UserID(rawValue: "carol"))
            let limited = try await inParallel(20) {
                try await store.bind(
                    TestDevice().binding(user: carol, code: store.newCode(for: carol), activeDeviceLimit: 3),
                    consuming: Fixture.use())
            }
            #expect(limited.filter { $0 == .tooManyDevices }.count == 17)
            #expect(try await store.devices(of: carol).count == 3)
        }
    }

    @Test("The database's clock decides expiry and written times")
    func databaseClock() async throws {
        let store = try await TestPostgres.open(clock: nil)
        defer { store.close() }
        let cluster = try await PostgresCluster.shared
        let seconds = try await cluster.query("SELECT floor(extract(epoch FROM now()))")
        let now = try #require(Int(seconds))
        let (alice, device) = (try Fixture.alice(), TestDevice())
        func use(livingFor seconds: Int) -> ChallengeUse {
            ChallengeUse(
                challenge: .random(), message: Fixture.hash(), expiresAt: NumericDate(secondsSince1970: now + seconds))
        }
        let binding = try device.binding(user: alice, code: try await store.newCode(for: alice))
        #expect(try await store.bind(binding, consuming: use(livingFor: -1)) == .challengeExpired)
        guard case .bound(let id) = try await store.bind(binding, consuming: use(livingFor: 3600)) else {
            Issue.record("not bound")
            return
        }
        let login = try device.login(id: id, user: alice)
        #expect(try await store.recordLogin(login, consuming: use(livingFor: -1)) == .challengeExpired)
        #expect(try await store.recordLogin(login, consuming: use(livingFor: 3600)) == .loggedIn)
        let found = try #require(try await store.device(id, of: alice))
        #expect((now...now + 600).contains(found.boundAt.secondsSince1970))
    }

    @Test("A role that may only read and write rows is enough for a current schema, and cannot create one")
    func leastRights() async throws {
        let (cluster, schema) = (try await PostgresCluster.shared, TestPostgres.newSchema())
        try await TestPostgres.open(schema: schema).close()
        let role = "role_" + schema
        try await cluster.query(
            """
            CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA \(schema) TO \(role);
            GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema) TO \(role)
            """)
        let address = cluster.address().replacing("nightlatch@", with: role + "@")
        let store = try await TestPostgres.open(address, schema: schema)
        defer { store.close() }
        let id = try await store.bind(TestDevice(), to: Fixture.alice())
        #expect(try await store.device(id, of: Fixture.alice()) != nil)
        let key = try Fixture.signingKey()
        #expect(try await store.addSigningKey(key, after: nil) == [key])
        await #expect(throws: RelyingPartyStoreError(.readOnly)) { try await TestPostgres.open(address) }
        try await cluster.query("REVOKE INSERT ON \(schema).enrolment_code FROM \(role)")
        await #expect(throws: RelyingPartyStoreError(.readOnly)) { try await store.newCode(for: Fixture.alice()) }
    }

    @Test(
        "An answered commit is on disk, even if the server is set otherwise, and statements and locks have time limits")
    func session() async throws {
        let address = try await PostgresCluster.shared.address()
        let store = try await TestPostgres.open(address + "&options=-csynchronous_commit%3Doff")
        defer { store.close() }
        #expect(try await store.setting("synchronous_commit") == "on")
        #expect(try await store.setting("statement_timeout") == "5s")
        #expect(try await store.setting("lock_timeout") == "5s")
        #expect(try await store.setting("default_transaction_isolation") == "read committed")
        let strict = try await TestPostgres.open(address + "&options=-csynchronous_commit%3Dremote_apply")
        defer { strict.close() }
        #expect(try await strict.setting("synchronous_commit") == "remote_apply")
    }

    @Test("An operation that waits too long for a lock fails as unavailable and writes nothing, and succeeds later")
    func locked() async throws {
        let (cluster, schema) = (try await PostgresCluster.shared, TestPostgres.newSchema())
        let store = try await TestPostgres.open(schema: schema)
        defer { store.close() }
        let impatient = try await TestPostgres.open(schema: schema, connectionCount: 1, statementLimit: .seconds(2))
        defer { impatient.close() }
        let (alice, device, use) = (try Fixture.alice(), TestDevice(), Fixture.use())
        let id = try await store.bind(device, to: alice)
        try await cluster.whileLocking("\(schema).device") {
            await #expect(throws: RelyingPartyStoreError(.unavailable)) {
                try await impatient.recordLogin(device.login(id: id, user: alice), consuming: use)
            }
        }
        #expect(try await impatient.recordLogin(device.login(id: id, user: alice), consuming: use) == .loggedIn)
    }

    @Test("All expired rows are deleted, whatever their number, and no others")
    func purge() async throws {
        let (cluster, schema) = (try await PostgresCluster.shared, TestPostgres.newSchema())
        let store = try await TestPostgres.open(schema: schema)
        defer { store.close() }
        let (alice, device, kept) = (try Fixture.alice(), TestDevice(), Fixture.use())
        let id = try await store.bind(device, to: alice)
        try await cluster.query(
            """
            INSERT INTO \(schema).used_challenge
            SELECT 'old ' || n, '\\x00', '\(id.rawValue)', 1700000000 FROM generate_series(1, 2100) AS n
            """)
        #expect(try await store.recordLogin(device.login(id: id, user: alice), consuming: kept) == .loggedIn)
        _ = try await inParallel(3) { try await store.purgeExpired() }
        let left = try await cluster.query("SELECT challenge FROM \(schema).used_challenge").split(separator: "\n")
        // The other challenge is that of the binding.
        #expect(left.count == 2 && left.contains { $0 == kept.challenge.rawValue })
    }

    @Test(
        "A row with an invalid value is corrupt, not absent",
        arguments: ["key = '{}'", "key_id = 'none'", "name = ''", "possession_key_id = 'none'"])
    func corruptRow(change: String) async throws {
        let (cluster, schema) = (try await PostgresCluster.shared, TestPostgres.newSchema())
        let store = try await TestPostgres.open(schema: schema)
        defer { store.close() }
        let alice = try Fixture.alice()
        let id = try await store.bind(TestDevice(), to: alice)
        try await cluster.query("UPDATE \(schema).device SET " + change)
        await #expect(throws: RelyingPartyStoreError(.corrupt)) { try await store.device(id, of: alice) }
        await #expect(throws: RelyingPartyStoreError(.corrupt)) { try await store.revoke(id, of: alice) }
    }

    @Test("A missing table is a defect with its SQLSTATE, and the connection stays usable")
    func missingTable() async throws {
        let (cluster, schema) = (try await PostgresCluster.shared, TestPostgres.newSchema())
        let store = try await TestPostgres.open(schema: schema, connectionCount: 1)
        defer { store.close() }
        try await cluster.query("DROP TABLE \(schema).signing_key")
        do {
            _ = try await store.forgetSigningKeys()
            Issue.record("there was a table")
        } catch {
            #expect(error.kind == .defect && error.sqlState == "42P01")
            #expect(error.description == "store defect, SQLSTATE 42P01")
        }
        try await store.checkReadiness()
    }

    @Test(
        "An error of PostgreSQL is mapped to what the caller can do, also for a login in a group",
        arguments: [
            ("XX000", RelyingPartyStoreError.Kind.unavailable), ("58030", .unavailable), ("53100", .full),
            ("25006", .readOnly),
            ("XX001", .corrupt), ("22012", .defect),
        ])
    func failures(sqlState: String, kind: RelyingPartyStoreError.Kind) async throws {
        let (cluster, schema) = (try await PostgresCluster.shared, TestPostgres.newSchema())
        let store = try await TestPostgres.open(schema: schema, connectionCount: 1)
        defer { store.close() }
        let (alice, device) = (try Fixture.alice(), TestDevice())
        let id = try await store.bind(device, to: alice)
        try await cluster.query(
            """
            SET search_path = \(schema);
            CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'a test' USING ERRCODE = '\(sqlState)'; END $$;
            CREATE TRIGGER fails BEFORE INSERT ON audit_entry FOR EACH ROW EXECUTE FUNCTION fail()
            """)
        let login = try device.login(id: id, user: alice)
        let logins = try await inParallel(10) { () -> RelyingPartyStoreError.Kind? in
            do throws(RelyingPartyStoreError) {
                _ = try await store.recordLogin(login, consuming: Fixture.use())
                return nil
            } catch {
                return error.kind
            }
        }
        #expect(logins == Array(repeating: kind, count: 10))
        try await store.checkReadiness()
    }

    @Test("A closed store refuses operations, and operations that wait too long do not hang")
    func closed() async throws {
        let store = try await TestPostgres.open(connectionCount: 2)
        let verbs = Task { try await inParallel(50) { try await store.checkReadiness() } }
        _ = try await verbs.value
        store.close()
        store.close()
        await #expect(throws: RelyingPartyStoreError(.unavailable)) { try await store.checkReadiness() }
    }
}
