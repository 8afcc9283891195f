import GRDB
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("A damaged row")
struct DamagedRowTests {
    /// A column that must not be null and is.
    enum Damage: String, CaseIterable, Sendable {
        case device = "device SET name = NULL"
        case password = "password SET salt = NULL"
        case signingKey = "signing_key SET box = NULL"
        case transaction = "user_transaction SET details = NULL"
        case user = "user SET created_at = NULL"
        case code = "enrolment_code SET user_id = NULL"
        case app = "app SET document = NULL"

        var table: String { String(rawValue.prefix { $0 != " " }) }

        func read(_ store: SQLiteStore, transaction: TransactionID, code: EnrolmentCodeMAC) async throws {
            let alice = try Fixture.alice()
            switch self {
            case .device: _ = try await store.devices(of: alice)
            case .password: _ = try await store.chargePasswordAttempt(of: alice)
            case .signingKey: _ = try await store.signingKeys()
            case .transaction: _ = try await store.transaction(transaction)
            case .user: _ = try await store.users(startingWith: nil, after: nil, limit: 10)
            case .app: _ = try await store.apps()
            case .code: _ = try await store.user(enrolledBy: code, deviceKey: TestDevice().key.id)
            }
        }
    }

    @Test(
        "A missing value in a damaged file is reported as damage and does not crash the server",
        arguments: Damage.allCases)
    func missing(damage: Damage) async throws {
        try await TemporaryFolder.with { folder in
            let (path, alice) = (folder + "/store.sqlite", try Fixture.alice())
            let transaction = try TestTransaction.new(user: alice)
            let first = try SQLiteStore(path: path, clock: TestTime.clock)
            _ = try await first.bind(TestDevice(), to: alice)
            _ = try await first.addSigningKey(try Fixture.signingKey(), after: nil)
            _ = try await first.createTransaction(transaction)
            try await first.setPassword(
                StoredPassword(
                    hash: .init(repeating: 1, count: 32), salt: .init(repeating: 2, count: 16), memoryKibibytes: 8,
                    passes: 1, lanes: 1),
                of: alice)
            _ = try await first.putApp(try TestApp.new("web"), replacing: nil, by: .operator)
            let code = try await first.newCode(for: alice)
            try await damage.read(first, transaction: transaction.id, code: code)
            try first.close()

            try await Self.write(damage, into: path)
            let store = try SQLiteStore(path: path, clock: TestTime.clock)
            await #expect(throws: RelyingPartyStoreError(.corrupt)) {
                try await damage.read(store, transaction: transaction.id, code: code)
            }
            try store.close()
        }
    }

    /// Removes the constraint from the schema for the time of the write, because the schema forbids this value.
    private static func write(_ damage: Damage, into path: String) async throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        func schema(replacing old: String, with new: String) async throws {
            let database = try DatabaseQueue(path: path, configuration: configuration)
            try await database.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA writable_schema = ON")
                for type in ["TEXT", "INTEGER", "BLOB"] {
                    try database.execute(
                        sql: "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE type = 'table' AND name = ?",
                        arguments: [type + old, type + new, damage.table])
                }
            }
            try database.close()
        }
        try await schema(replacing: " NOT NULL", with: " CHECK (TRUE)")
        let database = try DatabaseQueue(path: path, configuration: configuration)
        try await database.write { try $0.execute(sql: "UPDATE " + damage.rawValue) }
        try database.close()
        try await schema(replacing: " CHECK (TRUE)", with: " NOT NULL")
    }
}
