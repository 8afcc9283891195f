import GRDB
import NightlatchPostgres
import NightlatchPostgresCluster
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Folded names in databases that an older version has written")
struct FoldedNameTests {
    private struct Opened {
        let store: any RelyingPartyStore
        /// Runs a statement as an older version would.
        let run: (String) async throws -> Void
        let userTable: String
    }

    private func with(_ kind: WatchedStore.Kind, _ body: (Opened) async throws -> Void) async throws {
        switch kind {
        case .sqlite:
            try await TemporaryFolder.with { folder in
                let path = folder + "/store.sqlite"
                let store = try SQLiteStore(path: path, clock: TestTime.clock)
                let file = try DatabaseQueue(path: path)
                let run = { (sql: String) in try await file.write { try $0.execute(sql: sql) } }
                try await body(Opened(store: store, run: run, userTable: "user"))
                try file.close()
                try store.close()
            }
        case .postgres:
            let schema = TestPostgres.newSchema()
            let store = try await TestPostgres.open(schema: schema)
            defer { store.close() }
            let run = { (sql: String) in
                _ = try await PostgresCluster.shared.query("SET search_path TO \(schema); \(sql)")
            }
            try await body(Opened(store: store, run: run, userTable: "user_account"))
        }
    }

    @Test(
        """
        Users and devices of an older version come first in the lists, and are found when their names were folded; \
        a name that an older version changes is folded again
        """, arguments: WatchedStore.Kind.allCases)
    func fold(kind: WatchedStore.Kind) async throws {
        try await with(kind) { opened in
            let store = opened.store
            let alice = try Fixture.alice()
            let id = try await store.bind(TestDevice(), to: alice)
            func found(_ name: String?) async throws -> [DeviceID] {
                let filter = DeviceFilter(name: name.map { SearchText($0) })
                return try await store.devices(matching: filter, after: nil, limit: 9).map(\.id)
            }
            func users(_ prefix: String?) async throws -> [UserID] {
                try await store.users(matching: prefix.map { SearchText($0) }, after: nil, limit: 9).map(\.id)
            }
            try await opened.run("UPDATE \(opened.userTable) SET folded_id = ''")
            try await opened.run("UPDATE device SET name = 'Ärger'")
            let (all, allUsers) = (try await found(nil), try await users(nil))
            #expect(all == [id] && allUsers == [alice])
            #expect(try await found("ä").isEmpty)
            #expect(try await found("alice").isEmpty)
            #expect(try await users("al").isEmpty)
            #expect(try await store.foldNames() == false)
            #expect(try await found("ä") == [id])
            #expect(try await users("AL") == [alice])
            try await opened.run("UPDATE device SET name = 'Ärger'")
            #expect(try await found("ä") == [id])
            // A damaged row does not keep the work from ending.
            try await opened.run("UPDATE device SET name = ''")
            #expect(try await store.foldNames() == false)
        }
    }
}
