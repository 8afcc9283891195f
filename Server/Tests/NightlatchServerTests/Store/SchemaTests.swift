import Foundation
import GRDB
import NightlatchPostgres
import NightlatchPostgresCluster
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("The schemas of the stores")
struct SchemaTests {
    @Test("Stores that open a new file at the same time all find the complete schema", arguments: 0..<20)
    func newFile(round: Int) async throws {
        try await TemporaryFolder.with { folder in
            let stores = try await inParallel(8) {
                try SQLiteStore(path: folder + "/store.sqlite", clock: TestTime.clock)
            }
            for store in stores { try await store.checkReadiness() }
            let id = try await stores[0].bind(TestDevice(), to: Fixture.alice())
            #expect(try await stores[7].device(id, of: Fixture.alice()) != nil)
        }
    }

    @Test(
        """
        Stores that open a file of the first version at the same time migrate it: devices stay bound and log in again, \
        and no challenge is accepted twice
        """)
    func oldFile() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let (alice, device, id) = (try Fixture.alice(), TestDevice(), DeviceID.random())
            try SQLiteVersion1.create(at: path, device: device, id: id, of: alice)
            let used = Fixture.use()
            let old = try DatabaseQueue(path: path)
            try await old.write { database in
                try database.execute(
                    sql: "INSERT INTO used_challenge VALUES (?, ?, ?, ?)",
                    arguments: [
                        used.challenge.rawValue, Data(used.message.bytes), id.rawValue,
                        used.expiresAt.secondsSince1970,
                    ])
            }
            try old.close()
            let stores = try await inParallel(8) { try SQLiteStore(path: path, clock: TestTime.clock) }
            let store = stores[0]
            for store in stores { #expect(try await store.device(id, of: alice)?.key == device.key.jwk) }
            let again = try await store.recordLogin(device.login(id: id, user: alice), consuming: used)
            #expect(again == .challengeUsed)
            let token = try await store.logIn(device, id: id, user: alice)
            #expect(try await store.refresh(token, by: device).0.isRotated)
            let findings = try await DatabaseQueue(path: path).read { database in
                try String.fetchAll(database, sql: "PRAGMA integrity_check")
            }
            #expect(findings == ["ok"])
        }
    }

    /// Checks that two users can have keys of one name in a store that once had unique names.
    private func expectKeysByUser(_ store: some RelyingPartyStore, having old: JourneyDevice) async throws {
        let bob = try Fixture.bob()
        _ = try await store.newCode(for: bob)
        #expect(try await store.journeyDevices(of: old.user) == [old])
        let his = try TestJourneys.device(old.id.rawValue, of: bob)
        #expect(try await store.recordJourneyStep(TestJourneys.binding(his)) == .recorded)
        #expect(try await store.journeyDevice(old.id, of: old.user) == old)
        #expect(try await store.journeyDevice(old.id, of: bob) == his)
    }

    @Test(
        """
        A file with unique names of journey keys keeps its keys after the migration, and accepts another user's key of \
        the same name
        """)
    func oldJourneyKeys() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let old = try TestJourneys.device("my-custom-key-tag", of: Fixture.alice())
            let before = try SQLiteStore(path: path, clock: TestTime.clock)
            _ = try await before.newCode(for: old.user)
            _ = try await before.recordJourneyStep(TestJourneys.binding(old))
            try before.close()
            let file = try DatabaseQueue(path: path)
            try await file.write { database in
                try database.execute(
                    sql: """
                        CREATE TABLE kept AS SELECT * FROM journey_device;
                        DROP TABLE journey_device;
                        CREATE TABLE journey_device (
                            id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES user(id), application TEXT NOT NULL,
                            key_id TEXT NOT NULL UNIQUE, key TEXT NOT NULL, algorithm TEXT NOT NULL, machine TEXT NOT NULL,
                            name TEXT NOT NULL, bound_at INTEGER NOT NULL, last_access_at INTEGER NOT NULL, protection TEXT
                        ) STRICT, WITHOUT ROWID;
                        INSERT INTO journey_device SELECT id, user_id, application, key_id, key, algorithm, machine, name,
                            bound_at, last_access_at, protection FROM kept;
                        DROP TABLE kept;
                        CREATE INDEX journey_device_of_user ON journey_device(user_id, bound_at, id);
                        CREATE INDEX journey_session_of_device ON journey_session(device_id) WHERE device_id IS NOT NULL;
                        DELETE FROM grdb_migrations WHERE identifier = '16 keys of journeys by user';
                        """)
                #expect(database.changesCount == 1)
            }
            try file.close()
            let store = try SQLiteStore(path: path, clock: TestTime.clock)
            try await expectKeysByUser(store, having: old)
            try store.close()
        }
    }

    @Test("A PostgreSQL schema with unique names of journey keys keeps its keys in the same way")
    func oldJourneyKeysInPostgres() async throws {
        let schema = TestPostgres.newSchema()
        let old = try TestJourneys.device("my-custom-key-tag", of: Fixture.alice())
        let before = try await TestPostgres.open(schema: schema)
        _ = try await before.newCode(for: old.user)
        _ = try await before.recordJourneyStep(TestJourneys.binding(old))
        before.close()
        try await PostgresCluster.shared.query(
            """
            SET ROLE nightlatch; SET search_path TO \(schema);
            ALTER TABLE journey_device DROP CONSTRAINT journey_device_pkey, ADD PRIMARY KEY (id);
            CREATE INDEX journey_session_of_device ON journey_session (device_id) WHERE device_id IS NOT NULL;
            DELETE FROM schema_migration WHERE name = '12 keys of journeys by user';
            """)
        let store = try await TestPostgres.open(schema: schema)
        defer { store.close() }
        try await expectKeysByUser(store, having: old)
    }

    @Test("A file of a later version is not changed")
    func laterFile() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            try SQLiteStore(path: path).close()
            let later = try DatabaseQueue(path: path)
            try await later.write { database in
                try database.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 from the future')")
            }
            try later.close()
            let before = try Data(contentsOf: URL(filePath: path))
            #expect(throws: RelyingPartyStoreError(.tooNew)) { try SQLiteStore(path: path) }
            #expect(try Data(contentsOf: URL(filePath: path)) == before)
            let log = try? Data(contentsOf: URL(filePath: path + "-wal"))
            #expect(log?.isEmpty != false)
        }
    }

    @Test("Stores that open a new schema at the same time all find it complete", arguments: 0..<5)
    func newSchema(round: Int) async throws {
        let schema = TestPostgres.newSchema()
        let stores = try await inParallel(8) { try await TestPostgres.open(schema: schema, connectionCount: 1) }
        defer { for store in stores { store.close() } }
        for store in stores { try await store.checkReadiness() }
        let id = try await stores[0].bind(TestDevice(), to: Fixture.alice())
        #expect(try await stores[7].device(id, of: Fixture.alice()) != nil)
    }

    @Test(
        "A store waits for another store's migration longer than a request waits for any lock", .timeLimit(.minutes(5)))
    func longMigration() async throws {
        let (cluster, schema) = (try await PostgresCluster.shared, TestPostgres.newSchema())
        let lock = "hashtextextended('nightlatch schema \(schema)', 0)"
        let opening = try await cluster.whileHolding("DO $$ BEGIN PERFORM pg_advisory_xact_lock(\(lock)); END $$") {
            let opening = Task {
                try await TestPostgres.open(schema: schema, connectionCount: 1, statementLimit: .seconds(1))
            }
            let waiting = """
                SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                AND (classid::bigint << 32 | objid::bigint) = \(lock)
                AND waitstart < clock_timestamp() - interval '1250ms'
                """
            while try await cluster.query(waiting) != "1" { try Task.checkCancellation() }
            return opening
        }
        let store = try await opening.value
        defer { store.close() }
        try await store.checkReadiness()
    }

    @Test(
        """
        Stores that open a schema of the first version at the same time migrate it: devices stay bound and log in \
        again, and no challenge is accepted twice
        """)
    func oldSchema() async throws {
        let (alice, device, id, used) = (try Fixture.alice(), TestDevice(), DeviceID.random(), Fixture.use())
        let schema = TestPostgres.newSchema()
        try await PostgresVersion1.create(schema, device: device, id: id, of: alice, having: used)
        let stores = try await inParallel(8) { try await TestPostgres.open(schema: schema, connectionCount: 1) }
        defer { for store in stores { store.close() } }
        for store in stores { #expect(try await store.device(id, of: alice)?.key == device.key.jwk) }
        let again = try await stores[0].recordLogin(device.login(id: id, user: alice), consuming: used)
        #expect(again == .challengeUsed)
        let token = try await stores[1].logIn(device, id: id, user: alice)
        #expect(try await stores[2].refresh(token, by: device).0.isRotated)
    }

    @Test("A schema of a later version is refused and left unchanged")
    func laterSchema() async throws {
        let schema = TestPostgres.newSchema()
        try await TestPostgres.open(schema: schema).close()
        let cluster = try await PostgresCluster.shared
        try await cluster.query("INSERT INTO \(schema).schema_migration (name) VALUES ('99 from the future')")
        let count = try await cluster.query("SELECT count(*) FROM \(schema).schema_migration")
        await #expect(throws: RelyingPartyStoreError(.tooNew)) { try await TestPostgres.open(schema: schema) }
        #expect(try await cluster.query("SELECT count(*) FROM \(schema).schema_migration") == count)
    }
}
