import NightlatchPostgres
import NightlatchPostgresCluster
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("The audit log in PostgreSQL")
struct PostgresAuditTests {
    private func event(_ count: Int) -> AuditEvent { AuditEvent(.requestsRefused, by: .server, count: count) }

    @Test(
        "An entry can be neither changed nor deleted by a statement",
        arguments: [
            "UPDATE audit_entry SET at = at + 1", "DELETE FROM audit_entry", "TRUNCATE audit_entry",
        ])
    func appendOnly(statement: String) async throws {
        let (cluster, schema) = (try await PostgresCluster.shared, TestPostgres.newSchema())
        let store = try await TestPostgres.open(schema: schema, connectionCount: 1)
        defer { store.close() }
        try await store.audit(event(1))
        await #expect(throws: PostgresCluster.Failed.self) {
            try await cluster.query("SET search_path = \(schema); \(statement)")
        }
        let events = try await store.auditEntries(of: nil, before: nil, limit: 10).map(\.event)
        #expect(events == [event(1)])
    }

    @Test("An entry changed without the triggers is found, and the next entry does not hide the change")
    func changed() async throws {
        let (cluster, schema) = (try await PostgresCluster.shared, TestPostgres.newSchema())
        let store = try await TestPostgres.open(schema: schema, connectionCount: 1)
        defer { store.close() }
        for count in 1...3 { try await store.audit(event(count)) }
        let heads = try await store.auditHeads()
        let forged = AuditEntry(chain: heads[0].chain, sequence: 3, at: TestTime.current, event: event(0))
        let second = try await store.auditRows(after: nil, limit: 2)[1]
        let hash = AuditHash(of: forged.bytes, after: try #require(AuditHash(rawValue: second.hash)))
        try await cluster.query(
            """
            SET search_path = \(schema); ALTER TABLE audit_entry DISABLE TRIGGER ALL;
            UPDATE audit_entry SET body = '\(String(decoding: forged.bytes, as: UTF8.self))', hash = '\(hash.rawValue)'
            WHERE sequence = 3
            """)
        #expect(try await AuditSteps.findings(in: store).isEmpty)
        #expect(try await AuditSteps.findings(in: store, exported: heads).contains(.rewritten(heads[0].chain, upTo: 3)))
        // The store remembers the hash of its last entry, whatever the row contains now.
        try await store.audit(event(4))
        #expect(try await AuditSteps.findings(in: store) == [.changed(heads[0].chain, sequence: 4)])
    }

    @Test("An entry inserted before a chain's beginning, or into an unknown chain, is found with its position")
    func planted() async throws {
        let (cluster, schema) = (try await PostgresCluster.shared, TestPostgres.newSchema())
        let store = try await TestPostgres.open(schema: schema, connectionCount: 1)
        defer { store.close() }
        for count in 1...3 { try await store.audit(event(count)) }
        let head = try #require(try await store.auditHeads().first)
        try await cluster.query(
            """
            SET search_path = \(schema);
            INSERT INTO audit_entry SELECT chain, -9223372036854775808, at, user_id, body, hash FROM audit_entry
            WHERE sequence = 1;
            INSERT INTO audit_entry SELECT '', sequence, at, user_id, body, hash FROM audit_entry WHERE sequence = 2
            """)
        let foreign = AuditPlace(chain: "", sequence: 2)
        let inspection = try await AuditInspection(of: store, heads: [head])
        #expect(inspection.findings == [.misplaced(head.chain, sequence: .min), .foreign(foreign)])
        #expect(inspection.entryCount == 5)
    }

    @Test("An operation that is rolled back leaves no entry and no gap")
    func rolledBack() async throws {
        let (cluster, schema) = (try await PostgresCluster.shared, TestPostgres.newSchema())
        let store = try await TestPostgres.open(schema: schema, connectionCount: 1)
        defer { store.close() }
        try await store.audit(event(1))
        try await cluster.query(
            "ALTER TABLE \(schema).audit_entry ADD CONSTRAINT never CHECK (sequence <> 2) NOT VALID")
        let alice = try Fixture.alice()
        await #expect(throws: RelyingPartyStoreError(.defect)) { try await store.newCode(for: alice) }
        #expect(try await cluster.query("SELECT count(*) FROM \(schema).enrolment_code") == "0")
        try await cluster.query("ALTER TABLE \(schema).audit_entry DROP CONSTRAINT never")
        _ = try await store.newCode(for: alice)
        #expect(try await store.auditHeads().map(\.sequence) == [2])
        #expect(try await AuditSteps.findings(in: store).isEmpty)
    }

    @Test("A lost connection ends its chain, and the next connection begins another")
    func lostConnection() async throws {
        let (cluster, schema) = (try await PostgresCluster.shared, TestPostgres.newSchema())
        let store = try await TestPostgres.open(
            cluster.address() + "&application_name=\(schema)", schema: schema, connectionCount: 1)
        defer { store.close() }
        for count in 1...3 {
            try await store.audit(event(count))
            try await store.audit(event(count))
            try await cluster.query(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = '\(schema)'")
        }
        #expect(try await store.auditHeads().map(\.sequence) == [2, 2, 2])
        #expect(try await AuditSteps.findings(in: store).isEmpty)
    }

    @Test("An entry is committed while another transaction of the same store waits")
    func noWaiting() async throws {
        let (cluster, schema) = (try await PostgresCluster.shared, TestPostgres.newSchema())
        let store = try await TestPostgres.open(
            cluster.address() + "&application_name=\(schema)", schema: schema, connectionCount: 2,
            statementLimit: .seconds(60))
        defer { store.close() }
        let (alice, device) = (try Fixture.alice(), TestDevice())
        let id = try await store.bind(device, to: alice)
        let gate = try await AuditGate(in: schema, of: cluster)
        let login = try await gate.whileLocked {
            let login = Task {
                try await store.recordLogin(device.login(id: id, user: alice), consuming: Fixture.use())
            }
            try await gate.waitUntilBlocked(1)
            try await store.audit(event(1))
            return login
        }
        #expect(try await login.value == .loggedIn)
        #expect(try await AuditSteps.findings(in: store).isEmpty)
    }
}
