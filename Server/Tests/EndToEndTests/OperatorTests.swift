import Foundation
import Testing

@Suite("Operators of the console", .timeLimit(.minutes(10)))
struct OperatorTests {
    private func admin(_ arguments: [String], of server: ServerProcess) async throws -> Outcome {
        try await Nightlatch.run(
            ["admin", "operators"] + arguments + ["--database", "sqlite:" + server.folder + "/nightlatch.sqlite"])
    }

    private func keys(_ server: ServerProcess) -> [String] { ["--master-key-file", server.folder + "/master.key"] }

    @Test(
        """
        An operator is added at the terminal, binds a phone, signs in by the QR code, and blocks a device with a reason; \
        a viewer cannot, and a user who is no operator does not get in
        """)
    func browser() async throws {
        let folder = try TemporaryFolder()
        let options = ["--admin-key-file", folder.path + "/admin.key", "--address-rate", "0"]
        try await ServerProcess.run(in: folder, options: options) { server in
            let added = try await admin(
                ["add", "olga", "--name", "Olga O.", "--role", "owner"] + keys(server), of: server)
            #expect(added.status == 0 && added.errors.contains("Olga O."), "\(added.errors)")
            let outcome = try await OpenIDServer.runPython(
                "Browser/operators.py",
                [
                    server.url, server.folder + "/backend.key",
                    added.output.trimmingCharacters(in: .whitespacesAndNewlines),
                    PythonEnvironment.root + "/.build/screenshots/operators",
                ])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output.hasPrefix("checked: "))
        }
    }

    @Test("The command adds, lists, changes and removes operators, and says what it refuses")
    func command() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            let add = ["add", "olga", "--name", "Olga O.", "--role", "owner", "--json"] + keys(server)
            let added = try await admin(add, of: server)
            #expect(added.status == 0 && added.output.contains(#""code":""#), "\(added.errors)")
            let refused: [([String], String)] = [
                (["add", "olga", "--name", "Olga", "--role", "viewer"] + keys(server), "is an operator already"),
                (["add", "vera", "--name", "Olga O.", "--role", "viewer"] + keys(server), "has this name"),
                (["add", "vera", "--name", "Vera", "--role", "god"] + keys(server), "viewer, support, security, owner"),
                (["code", "vera"] + keys(server), "is no operator"), (["change", "vera", "--role", "owner"], "is no operator"),
                (["change", "olga"], "are missing"), (["remove", "vera"], "is no operator"),
                (["remove", "olga", "--reason", ""], "--reason must be"),
            ]
            for (arguments, text) in refused {
                let outcome = try await admin(arguments, of: server)
                #expect(outcome.status != 0 && outcome.errors.contains(text), "\(arguments): \(outcome.errors)")
            }
            let code = try await admin(["code", "olga", "--qr"] + keys(server), of: server)
            #expect(code.status == 0 && code.output.contains("█"), "\(code.errors)")
            let changed = try await admin(["change", "olga", "--role", "security", "--reason", "ticket 1"], of: server)
            #expect(changed.status == 0 && changed.output.contains("security"), "\(changed.errors)")
            let list = try await admin(["list"], of: server)
            #expect(list.output.contains("olga") && list.output.contains("Olga O."), "\(list.output)")
            let removed = try await admin(["remove", "olga", "--reason", "ticket 2", "--json"], of: server)
            #expect(removed.status == 0 && removed.output.contains(#""role":"security""#), "\(removed.errors)")
            #expect(try await admin(["list", "--json"], of: server).output.contains(#""entries":[]"#))
        }
    }
}
