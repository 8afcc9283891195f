import NightlatchPostgres
import NightlatchPostgresCluster
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Transactions in PostgreSQL")
struct PostgresTransactionTests {
    /// Runs `body` with a store, a pending transaction for a device of alice, and a function that changes the
    /// transaction's row.
    private func with(
        _ body: (PostgresStore, NewTransaction, DeviceID, _ update: (String) async throws -> Void) async throws -> Void
    ) async throws {
        let (cluster, schema) = (try await PostgresCluster.shared, TestPostgres.newSchema())
        let store = try await TestPostgres.open(schema: schema, connectionCount: 1)
        defer { store.close() }
        let alice = try Fixture.alice()
        let device = try await store.bind(TestDevice(), to: alice)
        let new = try TestTransaction.new(user: alice)
        _ = try await store.createTransaction(new)
        try await body(store, new, device) { try await cluster.query("UPDATE \(schema).user_transaction SET " + $0) }
    }

    @Test(
        """
        A detail changed in the database makes the transaction corrupt; changed with its hash, it does not match the \
        signature
        """)
    func changedDetails() async throws {
        try await with { store, new, device, update in
            for details in try TestTransaction.changedDetails() {
                let text = String(decoding: details.canonicalBytes, as: UTF8.self)
                try await update("details = '\(text)', details_hash = '\(new.details.hash.rawValue)'")
                await #expect(throws: RelyingPartyStoreError(.corrupt)) { try await store.transaction(new.id) }
                await #expect(throws: RelyingPartyStoreError(.corrupt)) {
                    try await store.transactions(of: new.user, endedLimit: 10)
                }
                await #expect(throws: RelyingPartyStoreError(.corrupt)) {
                    try await store.voidTransaction(new.id, by: .backend)
                }
                await #expect(throws: RelyingPartyStoreError(.corrupt)) {
                    try await store.decideTransaction(
                        TestTransaction.decision(.confirm, on: new, by: device), consuming: Fixture.use())
                }
                try await update(
                    "details_hash = '\(details.hash.rawValue)', expires_at = \(details.expiresAt.secondsSince1970)")
                #expect(
                    try await store.decideTransaction(
                        TestTransaction.decision(.confirm, on: new, by: device), consuming: Fixture.use())
                        == .detailsDiffer)
                try await update("expires_at = \(new.details.expiresAt.secondsSince1970)")
            }
        }
    }

    @Test(
        "A row that is not a valid transaction is corrupt, not absent",
        arguments: [
            "details = '{}'", "details = ''", "details_hash = 'x'", "addressees = 'all'", "addressees = '[]'",
            "expires_at = expires_at + 1",
        ])
    func corruptRows(change: String) async throws {
        try await with { store, new, _, update in
            try await update(change)
            await #expect(throws: RelyingPartyStoreError(.corrupt)) { try await store.transaction(new.id) }
        }
    }

    @Test(
        "The table accepts no decision without its message and no unknown state",
        arguments: [
            "ended_as = 'confirmed', ended_at = 1", "ended_as = 'voided'", "ended_as = 'pending', ended_at = 1",
            "message = 'a.b.c'", "ended_as = 'confirmed', ended_at = 1, device_id = 'nobody', message = 'a.b.c'",
        ])
    func constraints(change: String) async throws {
        try await with { store, new, _, update in
            await #expect(throws: (any Error).self) { try await update(change) }
            let state = try await store.transaction(new.id)?.state
            #expect(state == .pending)
        }
    }

    @Test("A transaction decided both ways at once by two devices in two processes has one outcome", arguments: 0..<5)
    func twoPools(round: Int) async throws {
        let schema = TestPostgres.newSchema()
        let stores = [try await TestPostgres.open(schema: schema), try await TestPostgres.open(schema: schema)]
        defer { for store in stores { store.close() } }
        let alice = try Fixture.alice()
        let devices = [
            try await stores[0].bind(TestDevice(), to: alice), try await stores[1].bind(TestDevice(), to: alice),
        ]
        let new = try TestTransaction.new(user: alice)
        _ = try await stores[0].createTransaction(new)
        let outcomes = try await withThrowingTaskGroup(of: DecisionOutcome.self) { group in
            for (index, way) in [TransactionDecision.confirm, .reject].enumerated() {
                for _ in 0..<20 {
                    group.addTask {
                        try await stores[index].decideTransaction(
                            TestTransaction.decision(way, on: new, by: devices[index]), consuming: Fixture.use())
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let found = try #require(try await stores[1].transaction(new.id))
        #expect(outcomes.filter { $0 == .recorded(found.state) }.count == 1)
        #expect(outcomes.filter { $0 == .ended(found.state) }.count == 39)
        #expect(found.proof?.device == devices[found.state == .confirmed ? 0 : 1])
    }
}
