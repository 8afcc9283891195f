import Foundation
import Testing

/// Replays what apps with the vendor's SDKs send, by a program that was written only from the SDKs' behaviour.
@Suite("Replays of the vendor’s SDKs", .timeLimit(.minutes(10)))
struct PingReplayTests {
    /// The SDKs, by their names in `Server/Tests/Ping`.
    enum SDK: String, CaseIterable, Sendable {
        case ping2OnIOS = "I2"
        case ping2OnAndroid = "A2"
        case forgeRock4OnIOS = "IL"
        case forgeRock4OnAndroid = "AL"
    }

    @Test("The replay passes at a correct server and notices each fault")
    func faults() async throws {
        let outcome = try await OpenIDServer.runPython("Ping/selftest.py")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.split(separator: "\n").count { $0.hasPrefix("ok ") } == 45)
    }

    @Test(
        "An app with OpenID Connect starts, logs in, binds, signs, gets and refreshes tokens, logs out and restarts",
        arguments: ServerFleet.Kind.allCases, SDK.allCases)
    func replay(database: ServerFleet.Kind, sdk: SDK) async throws {
        let users = OpenIDServer.users.sorted { $0.key < $1.key }
        let outcome = try await OpenIDServer.run(over: database) { server in
            try await OpenIDServer.runPython(
                "Ping/replay.py",
                [
                    "--server", server.url + "/am", "--realm", OpenIDServer.realm, "--app", "demo",
                    "--redirect", OpenIDServer.redirectURI, "--user", users[0].key, "--password", users[0].value,
                    "--second-user", users[1].key, "--second-password", users[1].value, "--other-app", "demo-other",
                    "--dpop-app", "demo-dpop", "--journeys", OpenIDServer.journeys.joined(separator: ","),
                    "--dialects", sdk.rawValue,
                ])
        }
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("ok \(sdk.rawValue) ") } == 38, "\(outcome.output)")
        let skipped = lines.filter { $0.hasPrefix("skipped ") }
        #expect(skipped.count == 2 && skipped.allSatisfy { $0.hasSuffix(": this SDK has no such request") })
        #expect(lines.last?.hasPrefix("38 ok, 0 failed, 2 skipped, ") == true)
    }
}
