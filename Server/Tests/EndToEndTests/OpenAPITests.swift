import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import NightlatchServer
import NightlatchWire
import Subprocess
import Testing

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// Programs in Python that know the server by its description and docs/protocol.md alone.
@Suite("The OpenAPI description and the server say the same", .timeLimit(.minutes(10)))
struct OpenAPITests {
    private static let programs = PythonEnvironment.root + "/Server/Tests/OpenAPI"
    private static let backendKey = "the-backend-key"

    /// Runs Python against a server of its own, whose passwords are hashed as fast as can be: there are hundreds.
    private func run(
        _ arguments: [String], environment: [Subprocess.Environment.Key: String] = [:]
    ) async throws -> Outcome {
        var configuration = RelyingPartyConfiguration(issuer: try #require(Issuer(rawValue: "https://login.example")))
        configuration.passwordHashing = PasswordHashing(unchecked: 8, passes: 1, lanes: 1, answerTime: .zero)
        configuration.limits.perAddress = nil
        configuration.limits.perAccount = nil
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder.path + "/nightlatch.sqlite")
        let application = try await buildApplication(
            configuration: configuration, store: store, masterKey: .random(),
            backendKey: try #require(BackendKey(rawValue: Self.backendKey)), logger: logger)
        let outcome = try await application.test(.live) { client in
            let address = "http://127.0.0.1:\(try #require(client.port))"
            let settings: [Subprocess.Environment.Key: String?] = [
                "NIGHTLATCH_SERVER": address, "NIGHTLATCH_BACKEND_KEY": Self.backendKey, "PYTHONPATH": Self.programs,
                "PYTHONDONTWRITEBYTECODE": "1", "SCHEMATHESIS_HOOKS": "hooks", "NO_COLOR": "1", "COLUMNS": "200",
            ]
            let result = try await Subprocess.run(
                .path(FilePath(PythonEnvironment.python)),
                arguments: Arguments(arguments.map { $0.replacing("{server}", with: address) }),
                environment: .inherit.updating(settings).updating(environment.mapValues { $0 }),
                workingDirectory: FilePath(folder.path), output: .string(limit: 1 << 20), error: .string(limit: 1 << 20)
            )
            return Outcome(
                status: result.terminationStatus.number, output: result.standardOutput, errors: result.standardError)
        }
        try store.close()
        return outcome
    }

    @Test("RP8: every route answers a device and a backend in Python as its description says, with no member beyond it")
    func story() async throws {
        let outcome = try await run([Self.programs + "/story.py"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains(#/\d+ answers of \d+ routes/#))
    }

    @Test("RP8: schemathesis finds nothing, with credentials and without", arguments: [false, true])
    func schemathesis(isAnonymous: Bool) async throws {
        let folder = try TemporaryFolder()
        let tally = folder.path + "/tally.json"
        let outcome = try await run(
            [
                "-m", "schemathesis.cli", "--config-file", Self.programs + "/schemathesis.toml", "run",
                "{server}/openapi.json", "--url", "{server}", "--checks", "all", "--max-examples", "12", "--seed", "1",
                "--warnings", "off", "--continue-on-failure",
            ],
            environment: ["NIGHTLATCH_ANONYMOUS": isAnonymous ? "1" : "0", "NIGHTLATCH_TALLY": tally])
        #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
        let answers = try JSONDecoder().decode(
            [String: Int].self, from: Data(contentsOf: URL(fileURLWithPath: tally)))
        // What was reached: a run in which all requests are refused at the door would find nothing either.
        for operation in ["listDevices", "createTransaction", "setPassword", "introspectToken", "revokeToken"] {
            #expect((answers[operation + " 200", default: 0] > 0) == !isAnonymous, "\(operation): \(answers)")
        }
        #expect(answers["beginLogin 200", default: 0] > 0)
    }
}
