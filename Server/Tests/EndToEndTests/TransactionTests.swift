import Foundation
import Testing

@Suite("Transactions at the command line", .timeLimit(.minutes(10)))
struct TransactionTests {
    private struct Report: Decodable {
        let state: String
    }

    /// Runs a server with one device of alice.
    private func withDevice(_ body: (TemporaryFolder, ServerProcess) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            let bound = try await folder.device(
                "bind", "--server", server.url, "--code", try await server.code(), pins: ["295038"])
            #expect(bound.status == 0, "\(bound.errors)")
            try await body(folder, server)
        }
    }

    private func state(of id: String, at server: ServerProcess) async throws -> String {
        let shown = try await server.transaction("show", id)
        return try JSONDecoder().decode(Report.self, from: Data(shown.output.utf8)).state
    }

    @Test("A payment is created, listed, shown and confirmed with a separate PIN entry, and Python verifies the proof")
    func confirm() async throws {
        try await withDevice { folder, server in
            let end = Int(Date().timeIntervalSince1970) + 600
            let created = try await server.transaction(
                "create", "--user", "alice", "--amount", "129.90", "--currency", "EUR", "--payee", "Bäckerei \"Nacht\"",
                "--line", "Reference=Berth 7", "--line", "Note=a=b", "--expires-at", "\(end)")
            #expect(created.status == 0, "\(created.errors)")
            let id = created.output.trimmingCharacters(in: .newlines)

            let listed = try await folder.device("transactions", pins: ["295038"])
            let shown = [
                "Pay: 129.90 EUR", "To: Bäckerei \"Nacht\"", "Reference: Berth 7", "Note: a=b", "Until: ",
            ]
            #expect(listed.output.hasPrefix("\(id)\n    Pay: 129.90 EUR\n"), "\(listed.errors)")
            for line in shown { #expect(listed.output.contains("    " + line)) }

            let confirmed = try await folder.device("confirm", id, pins: ["295038", "295038"])
            #expect(confirmed.output == "\(id)  confirmed\n", "\(confirmed.errors)")
            for line in shown { #expect(confirmed.errors.contains(line)) }
            #expect(try await folder.device("transactions", pins: ["295038"]).output.isEmpty)

            let report = try await server.transaction("show", id).output
            let meant = """
                {"payee":"Bäckerei \\"Nacht\\"","currency":"EUR","amount":"129.90","expires_at":\(end),\
                "lines":[{"label":"Reference","value":"Berth 7"},{"value":"a=b","label":"Note"}]}
                """
            let verified = try await Python.verify(proofIn: report, for: meant)
            #expect(verified.output == "confirm \(server.url)\n", "\(verified.errors)")
            for (old, new) in [
                ("129.90", "129.91"), ("EUR", "USD"), ("Nacht", "Tag"), ("Berth 7", "Berth 8"), ("a=b", "a=c"),
                ("\(end)", "\(end + 1)"),
            ] {
                let other = try await Python.verify(proofIn: report, for: meant.replacing(old, with: new))
                #expect(other.status != 0, "\(new)")
            }
        }
    }

    @Test("Each decision asks for the PIN again, and a wrong PIN decides nothing")
    func asksAnew() async throws {
        try await withDevice { folder, server in
            let id = try await server.newTransaction()
            let missing = try await folder.device("confirm", id, pins: ["295038"])
            #expect(missing.status == 2)
            let wrong = try await folder.device("confirm", id, pins: ["295038", "860527"])
            #expect(wrong.status == 1 && wrong.errors.contains("9 attempts left"), "\(wrong.errors)")
            #expect(try await state(of: id, at: server) == "pending")
            let rejected = try await folder.device("confirm", id, "--reject", pins: ["295038", "295038"])
            #expect(rejected.output == "\(id)  rejected\n", "\(rejected.errors)")
            #expect(try await state(of: id, at: server) == "rejected")
            let again = try await folder.device("confirm", id, pins: ["295038", "295038"])
            #expect(again.status == 1)
            #expect(try await state(of: id, at: server) == "rejected")
        }
    }

    @Test("The code of another server's login page, a malformed id, and an id together with a code are usage errors")
    func confirmUsage() async throws {
        try await withDevice { folder, server in
            for code in [
                "https://login.example.com/login#abc", server.url + "/login#", server.url + "/login#a=", "abc",
            ] {
                let refused = try await folder.device("confirm", "--code", code, pins: ["295038"])
                #expect(refused.status == 2 && refused.errors.contains(server.url + "/login#"), "\(refused.errors)")
            }
            #expect(try await folder.device("confirm", "x", pins: ["295038"]).status == 2)
            let id = String(repeating: "0", count: 32)
            let both = try await folder.device("confirm", id, "--code", "abc", pins: ["295038"])
            #expect(both.status == 2 && both.errors.contains("not both"), "\(both.errors)")
        }
    }

    @Test("A transaction is listed and withdrawn, and an invalid one is a usage error")
    func backend() async throws {
        try await withDevice { folder, server in
            let id = try await server.newTransaction()
            let list = try await server.transaction("list", "--user", "alice")
            #expect(list.output == "\(id)  pending  7 EUR to x\n", "\(list.errors)")
            #expect(try await server.transaction("void", id).output == "\(id)  voided\n")
            let late = try await folder.device("confirm", id, pins: ["295038", "295038"])
            #expect(late.status == 1)
            let other = try await server.newTransaction()
            func administer(_ arguments: String...) async throws -> Outcome {
                try await Nightlatch.run(
                    ["admin"] + arguments + ["--database", "sqlite:\(server.folder)/nightlatch.sqlite"])
            }
            for _ in 0..<2 {
                let voided = try await administer("transactions", "void", other)
                #expect(voided.output == "\(other)  voided\n", "\(voided.errors)")
            }
            let log = try await administer("audit", "--user", "alice")
            #expect(log.output.matches(of: /transaction_voided +operator/).count == 1, "\(log.output)")
            #expect(try await administer("transactions", "void", String(repeating: "0", count: 32)).status == 1)
            for arguments in [
                ["--amount", "1,50"], ["--currency", "eur"], ["--payee", " "], ["--line", "x"], ["--device", "x"],
                ["--minutes", "0"], ["--id", "x"], ["--user", "a\u{200B}b"],
            ] {
                let outcome = try await server.create(arguments)
                #expect(outcome.status == 2, "\(arguments) \(outcome.errors)")
            }
            let stranger = try await server.create(["--user", "stranger"])
            #expect(stranger.status == 1 && stranger.errors.contains("addressee_unknown"))
            #expect(try await server.transaction("show", "x").status == 2)
        }
    }
}

extension ServerProcess {
    fileprivate func transaction(_ arguments: String...) async throws -> Outcome { try await transaction(arguments) }

    private func transaction(_ arguments: [String]) async throws -> Outcome {
        try await Nightlatch.run(
            ["admin", "transaction"] + arguments + ["--server", url, "--backend-key-file", folder + "/backend.key"])
    }

    /// Creates a transaction of 7 euros, with some arguments replaced.
    fileprivate func create(_ changes: [String] = []) async throws -> Outcome {
        var values = ["--user": "alice", "--amount": "7", "--currency": "EUR", "--payee": "x"]
        for index in stride(from: 0, to: changes.count, by: 2) { values[changes[index]] = changes[index + 1] }
        return try await transaction(["create"] + values.flatMap { [$0.key, $0.value] })
    }

    fileprivate func newTransaction() async throws -> String {
        try await create().output.trimmingCharacters(in: .newlines)
    }
}
