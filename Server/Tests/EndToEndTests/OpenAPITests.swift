import Foundation
import NightlatchPostgresCluster
import NightlatchRelyingParty
import NightlatchWire
import Subprocess
import Testing

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// Runs Python programs that know the server only from its description and docs/protocol.md.
@Suite("The OpenAPI description agrees with the server", .timeLimit(.minutes(10)))
struct OpenAPITests {
    private static let programs = PythonEnvironment.root + "/Server/Tests/OpenAPI"

    /// Runs Python against a separate relying party process without rate limits.
    private func run(
        _ arguments: [String],
        on database: ServerFleet.Kind,
        environment: [Subprocess.Environment.Key: String] = [:]
    ) async throws -> Outcome {
        let folder = try TemporaryFolder()
        var options = ["--address-rate", "0", "--account-rate", "0"]
        var address = "sqlite:" + folder.path + "/nightlatch.sqlite"
        if database == .postgres {
            let cluster = try await PostgresCluster.shared
            address = cluster.address(database: try await cluster.createDatabase())
            options += ["--database", address]
        }
        let (outcome, status) = try await ServerProcess.run(in: folder, options: options) { server in
            let backendKey = try BackendKey.load(from: server.folder + "/backend.key").rawValue
            let made = try await Nightlatch.run(
                ["admin", "api-keys", "create", "tests", "--scope", "all", "--database", address])
            let apiKey = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
            let settings: [Subprocess.Environment.Key: String?] = [
                "NIGHTLATCH_API_KEY": apiKey,
                "NIGHTLATCH_SERVER": server.url, "NIGHTLATCH_BACKEND_KEY": backendKey, "PYTHONPATH": Self.programs,
                "PYTHONDONTWRITEBYTECODE": "1", "SCHEMATHESIS_HOOKS": "hooks", "NO_COLOR": "1", "COLUMNS": "200",
            ]
            let result = try await Subprocess.run(
                .path(FilePath(PythonEnvironment.python)),
                arguments: Arguments(arguments.map { $0.replacing("{server}", with: server.url) }),
                environment: .inherit.updating(settings).updating(environment.mapValues { $0 }),
                workingDirectory: FilePath(folder.path), output: .string(limit: 1 << 20), error: .string(limit: 1 << 20)
            )
            return Outcome(
                status: result.terminationStatus.number, output: result.standardOutput, errors: result.standardError)
        }
        #expect(status == 0)
        return outcome
    }

    @Test(
        "Every route answers a device and a backend in Python as described, without further members",
        arguments: ServerFleet.Kind.allCases)
    func story(database: ServerFleet.Kind) async throws {
        let outcome = try await run([Self.programs + "/story.py"], on: database)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains(#/\d+ answers of \d+ routes/#))
    }

    @Test(
        "openapi-python-client makes a package that imports, and it calls the server; examples agree with their schemas"
    )
    func generatedClient() async throws {
        let folder = try TemporaryFolder()
        let outcome = try await run([Self.programs + "/client.py", folder.path], on: .sqlite)
        #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
        #expect(outcome.output.contains(#/\d+ modules/#))
    }

    @Test(
        "Schemathesis finds no error, with and without credentials", arguments: ServerFleet.Kind.allCases,
        [false, true])
    func schemathesis(database: ServerFleet.Kind, isAnonymous: Bool) async throws {
        let folder = try TemporaryFolder()
        let tally = folder.path + "/tally.json"
        let outcome = try await run(
            [
                "-m", "schemathesis.cli", "--config-file", Self.programs + "/schemathesis.toml", "run",
                "{server}/openapi.json", "--url", "{server}", "--checks", "all", "--max-examples", "12", "--seed", "1",
                "--warnings", "off", "--continue-on-failure",
            ], on: database,
            environment: ["NIGHTLATCH_ANONYMOUS": isAnonymous ? "1" : "0", "NIGHTLATCH_TALLY": tally])
        #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
        let answers = try JSONDecoder().decode(
            [String: Int].self, from: Data(contentsOf: URL(fileURLWithPath: tally)))
        // Checks that the run reached these operations: a run in which all requests are refused would find no error
        // either.
        for operation in [
            "listDevices", "createTransaction", "setPassword", "setProfile", "introspectToken", "revokeToken",
            "listUsers", "listAuditEntries", "createAPIKey", "overview",
        ] {
            #expect((answers[operation + " 200", default: 0] > 0) == !isAnonymous, "\(operation): \(answers)")
        }
        #expect(answers["beginLogin 200", default: 0] > 0)
    }
}
