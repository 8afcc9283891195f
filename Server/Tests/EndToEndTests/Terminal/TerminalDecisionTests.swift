import Foundation
import Testing

@Suite("Deciding at a terminal", .timeLimit(.minutes(10)))
struct TerminalDecisionTests {
    private let pin = ["2", "9", "5", "0", "3", "8"]

    @Test("A PIN chosen on the pad registers a device, and the pad shows the payment until the right PIN confirms it")
    func story() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            let registering = TerminalScreen(socket: folder.path + "/first")
            let code = try await server.code()
            try await registering.start(
                "'\(Nightlatch.path)' bind --home '\(folder.home)' --server \(server.url) --code \(code); echo done=$?"
            )
            try await registering.wait(for: "Choose a PIN")
            try await registering.type(pin)
            try await registering.wait(for: "Enter the new PIN again")
            try await registering.type(pin)
            try await registering.wait(for: "done=0")
            try await registering.end()

            let created = try await Nightlatch.run(
                "admin", "transaction", "create", "--server", server.url, "--backend-key-file",
                server.folder + "/backend.key", "--user", "alice", "--amount", "129.90", "--currency", "EUR", "--payee",
                "Night Train Ltd")
            let id = created.output.trimmingCharacters(in: .newlines)
            let screen = TerminalScreen(socket: folder.path + "/second")
            try await screen.start("'\(Nightlatch.path)' confirm \(id) --home '\(folder.home)'; echo done=$?")
            try await screen.wait(for: "to unlock the vault")
            try await screen.type(pin + ["Enter"])
            let asked = try await screen.wait(for: "to confirm this:")
            #expect(asked.contains("Pay: 129.90 EUR") && asked.contains("To: Night Train Ltd") && asked.contains("○"))
            try await screen.type(["8", "6", "0", "5", "2", "7", "Enter"])
            let again = try await screen.wait(for: "Wrong PIN. 9 attempts left.")
            #expect(again.contains("Pay: 129.90 EUR"))
            try await screen.type(pin + ["Enter"])
            let ended = try await screen.wait(for: "done=0")
            #expect(ended.contains("\(id)  confirmed"))
            try await screen.end()
        }
    }
}
