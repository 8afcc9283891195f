import Foundation
import NightlatchPostgresCluster
import Subprocess
import Testing

@Suite("Serving with PostgreSQL", .timeLimit(.minutes(10)))
struct PostgresServeTests {
    private let folder: TemporaryFolder
    private let cluster: PostgresCluster
    private let database: String
    private let role: String
    private let password = "correct-horse-battery"

    init() async throws {
        folder = try TemporaryFolder()
        cluster = try await .shared
        database = try await cluster.createDatabase()
        role = try await cluster.createRole(password: password, database: database)
    }

    /// Runs a command to its end. A server ends at once, because its standard input is empty.
    private func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Outcome {
        let updates = environment.map { (Environment.Key(stringLiteral: $0.key), $0.value as String?) }
        let outcome = try await Nightlatch.run(
            arguments, environment: Nightlatch.environment.updating(Dictionary(uniqueKeysWithValues: updates)))
        #expect(!outcome.output.contains(password) && !outcome.errors.contains(password), "the password was told")
        return outcome
    }

    private func serve(_ options: [String] = [], environment: [String: String] = [:]) async throws -> Outcome {
        try await run(
            [
                "serve", "--until-stdin-ends", "--listen", "127.0.0.1:0", "--master-key-file",
                folder.path + "/master.key",
                "--backend-key-file", folder.path + "/backend.key",
            ] + options, environment: environment)
    }

    @Test("The password comes from the environment, the configuration or a password file")
    func passwords() async throws {
        let address = cluster.address(database: database, role: role, password: password)
        let environment = try await serve(environment: ["NIGHTLATCH_DATABASE": address])
        #expect(environment.status == 0 && environment.output.hasPrefix("listening on"), "\(environment.errors)")

        let configuration = folder.path + "/serve.json"
        try #"{"database":"\#(address)","databaseConnections":2}"#.write(
            toFile: configuration, atomically: true, encoding: .utf8)
        let configured = try await serve(["--config", configuration])
        #expect(configured.status == 0, "\(configured.errors)")

        let passwordFile = folder.path + "/pgpass"
        #expect(
            FileManager.default.createFile(
                atPath: passwordFile, contents: Data("127.0.0.1:*:*:\(role):\(password)\n".utf8),
                attributes: [.posixPermissions: 0o600]))
        let open = cluster.address(database: database, role: role, password: nil)
        let filed = try await serve(["--database", open], environment: ["PGPASSFILE": passwordFile])
        #expect(filed.status == 0, "\(filed.errors)")

        let forgotten = try await run(
            ["admin", "forget-signing-keys", "--database", open], environment: ["PGPASSFILE": passwordFile])
        #expect(forgotten.output == "forgot 1 signing key\n", "\(forgotten.errors)")
    }

    @Test("A password on the command line, where every user can read it, is refused and not repeated")
    func passwordOnTheCommandLine() async throws {
        let address = cluster.address(database: database, role: role, password: password)
        for outcome in [
            try await serve(["--database", address]),
            try await run(["admin", "forget-signing-keys", "--database", address]),
        ] {
            #expect(outcome.status == 2 && outcome.errors.contains("NIGHTLATCH_DATABASE"), "\(outcome.errors)")
        }
    }

    @Test("A malformed address, a refused login and an unreachable database are reported without the password")
    func refusals() async throws {
        let malformed = try await serve(environment: ["NIGHTLATCH_DATABASE": "postgres://app:\(password)%@127.0.0.1/x"])
        #expect(malformed.status == 2 && malformed.errors.contains("libpq"), "\(malformed.errors)")
        #expect(malformed.errors.contains("NIGHTLATCH_DATABASE begins with"), "\(malformed.errors)")
        let neither = try await serve(environment: ["NIGHTLATCH_DATABASE": "postgre://app:\(password)@127.0.0.1/x"])
        #expect(neither.status == 2 && neither.errors.contains("postgres://USER@HOST/NAME"), "\(neither.errors)")
        let wrong = cluster.address(database: database, role: role, password: password + "-not")
        let refused = try await serve(environment: ["NIGHTLATCH_DATABASE": wrong])
        #expect(refused.status == 3 && refused.errors.contains("postgres://\(role)@127.0.0.1"), "\(refused.errors)")
        #expect(refused.errors.contains("authentication failed"), "\(refused.errors)")
        let away = try await serve(environment: ["NIGHTLATCH_DATABASE": "postgres://app:\(password)@127.0.0.1:9/x"])
        #expect(away.status == 3 && away.errors.contains("cannot be reached"), "\(away.errors)")
    }

    @Test("A database of a later version or another master key is refused with a status that means do not retry")
    func databases() async throws {
        let environment = ["NIGHTLATCH_DATABASE": cluster.address(database: database)]
        let first = try await serve(environment: environment)
        #expect(first.status == 0, "\(first.errors)")
        let masterKey = folder.path + "/master.key"
        try FileManager.default.removeItem(atPath: masterKey)
        let missing = try await serve(environment: environment)
        #expect(missing.status == 2 && missing.errors.contains("there is no file \(masterKey)"), "\(missing.errors)")
        #expect(
            FileManager.default.createFile(
                atPath: masterKey, contents: Data(String(repeating: "A", count: 43).utf8),
                attributes: [.posixPermissions: 0o600]))
        let otherKey = try await serve(environment: environment)
        #expect(otherKey.status == 1 && otherKey.errors.contains("another master key"), "\(otherKey.errors)")
        try await cluster.query(
            "INSERT INTO nightlatch.schema_migration (name) VALUES ('99 from the future')", database: database)
        let later = try await serve(environment: environment)
        #expect(later.status == 1 && later.errors.contains("by a later version"), "\(later.errors)")
    }
}
