import Foundation
import GRDB
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Transactions in SQLite")
struct SQLiteTransactionTests {
    /// Runs `body` with a store, a pending transaction for a device of alice, and the path of the file.
    private func with(
        _ body: (SQLiteStore, NewTransaction, DeviceID, _ path: String) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let path = folder + "/store.sqlite"
            let store = try SQLiteStore(path: path, clock: TestTime.clock)
            let alice = try Fixture.alice()
            let device = try await store.bind(TestDevice(), to: alice)
            let new = try TestTransaction.new(user: alice)
            _ = try await store.createTransaction(new)
            try await body(store, new, device, path)
        }
    }

    private func decision(on new: NewTransaction, by device: DeviceID) -> NewDecision {
        NewDecision(
            transaction: new.id, user: new.user, device: device, decision: .confirm, detailsHash: new.details.hash,
            message: "a.b.c")
    }

    private func execute(_ sql: String, _ arguments: StatementArguments = [], at path: String) async throws {
        try await DatabaseQueue(path: path).write { try $0.execute(sql: sql, arguments: arguments) }
    }

    @Test("A detail changed in the file makes the transaction corrupt, whichever detail it is")
    func changedDetails() async throws {
        for details in try TestTransaction.changedDetails() {
            try await with { store, new, device, path in
                try await execute(
                    "UPDATE user_transaction SET details = ?",
                    [String(decoding: details.canonicalBytes, as: UTF8.self)],
                    at: path)
                await #expect(throws: RelyingPartyStoreError(.corrupt)) { try await store.transaction(new.id) }
                await #expect(throws: RelyingPartyStoreError(.corrupt)) {
                    try await store.transactions(of: new.user, endedLimit: 10)
                }
                await #expect(throws: RelyingPartyStoreError(.corrupt)) {
                    try await store.decideTransaction(decision(on: new, by: device), consuming: Fixture.use())
                }
            }
        }
    }

    @Test("A detail changed with its hash does not match an earlier signature")
    func changedWithHash() async throws {
        for details in try TestTransaction.changedDetails() {
            try await with { store, new, device, path in
                try await execute(
                    "UPDATE user_transaction SET details = ?, details_hash = ?, expires_at = ?",
                    [
                        String(decoding: details.canonicalBytes, as: UTF8.self), details.hash.rawValue,
                        details.expiresAt.secondsSince1970,
                    ], at: path)
                #expect(
                    try await store.decideTransaction(decision(on: new, by: device), consuming: Fixture.use())
                        == .detailsDiffer)
                #expect(try await store.transaction(new.id)?.state == .pending)
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
        try await with { store, new, _, path in
            try await execute("UPDATE user_transaction SET " + change, at: path)
            await #expect(throws: RelyingPartyStoreError(.corrupt)) { try await store.transaction(new.id) }
        }
    }

    @Test(
        "The file accepts no decision without its message and no unknown state",
        arguments: [
            "ended_as = 'confirmed', ended_at = 1", "ended_as = 'voided'", "ended_as = 'pending', ended_at = 1",
            "message = 'a.b.c'",
            "ended_as = 'voided', ended_at = 1, device_id = (SELECT id FROM device), message = 'a.b.c'",
        ])
    func constraints(change: String) async throws {
        try await with { _, _, _, path in
            await #expect(throws: DatabaseError.self) {
                try await execute("UPDATE user_transaction SET " + change, at: path)
            }
        }
    }

    @Test("A decision is present when the file is opened again")
    func reopening() async throws {
        try await with { store, new, device, path in
            _ = try await store.decideTransaction(decision(on: new, by: device), consuming: Fixture.use())
            let before = try await store.transaction(new.id)
            try store.close()
            let after = try await SQLiteStore(path: path, clock: TestTime.clock).transaction(new.id)
            #expect(after == before && after?.state == .confirmed)
        }
    }
}
