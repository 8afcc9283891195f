import Foundation
import GRDB
import NightlatchPostgres
import NightlatchPostgresCluster
import NightlatchServer
import NightlatchWire
import Testing

@Suite("The schemas of the stores")
struct SchemaTests {
    @Test("Stores that open one new file at once all find the schema finished", arguments: 0..<20)
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
        A file of the first version is brought up to date by stores that open it at once: devices stay bound and log in again, and no \
        challenge serves twice
        """
    )
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

    @Test("A file of a later version is not touched")
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
            #expect(throws: StoreError(.tooNew)) { try SQLiteStore(path: path) }
            #expect(try Data(contentsOf: URL(filePath: path)) == before)
            let log = try? Data(contentsOf: URL(filePath: path + "-wal"))
            #expect(log?.isEmpty != false)
        }
    }

    @Test("RP6: stores that open one new schema at once all find it finished", arguments: 0..<5)
    func newSchema(round: Int) async throws {
        let schema = TestPostgres.newSchema()
        let stores = try await inParallel(8) { try await TestPostgres.open(schema: schema, connectionCount: 1) }
        defer { for store in stores { store.close() } }
        for store in stores { try await store.checkReadiness() }
        let id = try await stores[0].bind(TestDevice(), to: Fixture.alice())
        #expect(try await stores[7].device(id, of: Fixture.alice()) != nil)
    }

    @Test(
        "RP6: a store waits for another's migration longer than a request waits for anything", .timeLimit(.minutes(5)))
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
        RP6: a schema of the first version is brought up to date by stores that open it at once: devices stay bound and log in again, and no \
        challenge serves twice
        """
    )
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

    @Test("A schema of a later version is refused and left as it is")
    func laterSchema() async throws {
        let schema = TestPostgres.newSchema()
        try await TestPostgres.open(schema: schema).close()
        let cluster = try await PostgresCluster.shared
        try await cluster.query("INSERT INTO \(schema).schema_migration (name) VALUES ('99 from the future')")
        let count = try await cluster.query("SELECT count(*) FROM \(schema).schema_migration")
        await #expect(throws: StoreError(.tooNew)) { try await TestPostgres.open(schema: schema) }
        #expect(try await cluster.query("SELECT count(*) FROM \(schema).schema_migration") == count)
    }
}
