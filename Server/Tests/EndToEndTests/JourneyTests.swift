import Foundation
import NightlatchWire
import Subprocess
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Runs journeys as the vendor's SDKs do, with a Python client that was written only from the protocol's description.
@Suite("PingAM journeys with an independent client", .timeLimit(.minutes(10)))
struct JourneyTests {
    enum Dialect: String, CaseIterable, Sendable {
        case ios
        case android
    }

    /// Runs a script of the client against a server.
    private func run(
        _ script: String,
        _ dialect: Dialect,
        at path: String = "",
        more arguments: [String] = []
    ) async throws -> Outcome {
        try await JourneyServer.run { port in
            try await Python.run(
                file: JourneyServer.folder + "/" + script,
                arguments: [
                    dialect.rawValue, "http://127.0.0.1:\(port)\(path)", "alpha", "alice", JourneyServer.password,
                ] + arguments)
        }
    }

    @Test(
        """
        A key is bound, signs with and without a user name, is listed, renamed, unbound and bound again, byte for byte \
        as the SDKs expect
        """,
        arguments: Dialect.allCases)
    func story(dialect: Dialect) async throws {
        let outcome = try await run("story.py", dialect, at: "/am")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.output.split(separator: "\n") == [
                "login", "wrong password", "no session asked for", "bind", "sign", "usernameless sign", "list",
                "rename",
                "others' devices", "unbind", "bind again", "bind through the state", "other forms", "sign off",
            ])
    }

    @Test("Every invalid answer is refused, and none binds a key", arguments: Dialect.allCases)
    func refusals(dialect: Dialect) async throws {
        let outcome = try await run("refusals.py", dialect, more: ["bob"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        // All refusals were run. Android has one more, because its keys have several algorithms.
        #expect(outcome.output.split(separator: "\n").count == (dialect == .ios ? 173 : 174))
    }

    @Test("The serve command reads journeys from a file and reports the position of an error in it")
    func command() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder, options: ["--journeys", JourneyServer.folder + "/journeys.json"]) {
            server in
            let url = try #require(
                server.issuer.url(path: "/json/realms/alpha/authenticate?authIndexType=service&authIndexValue=sign"))
            var request = URLRequest(url: url)
            request.httpMethod = "POST"
            let (data, _) = try await URLSession.shared.data(for: request)
            let answer = String(decoding: data, as: UTF8.self)
            #expect(answer.contains(#""type":"NameCallback""#), "\(answer)")
        }
        let path = folder.path + "/wrong.json"
        try Data(#"{"journeys": {"a": {"start": "b", "nodes": {"b": {"type": "ScriptNode"}}}}}"#.utf8)
            .write(to: URL(fileURLWithPath: path))
        let refused = try await Nightlatch.run(
            "serve", "--journeys", path, "--database", "sqlite:" + folder.path + "/other.sqlite", "--master-key-file",
            folder.path + "/m.key", "--backend-key-file", folder.path + "/b.key")
        #expect(refused.status == 2)
        #expect(refused.errors.contains("readyMade.bind.nodes.bind: no app may use it"), "\(refused.errors)")
    }
}
