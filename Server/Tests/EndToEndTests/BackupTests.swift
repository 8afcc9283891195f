import Nightlatch
import NightlatchPlatform
import NightlatchServerProcess
import NightlatchWire
import Testing

@Suite("A backup of a running server that is restored", .timeLimit(.minutes(10)))
struct BackupTests {
    @Test(
        """
        No server starts on a restored backup before it is accepted; then devices from before the backup log in, and later \
        ones are gone
        """,
        arguments: ServerFleet.Kind.allCases)
    func restored(kind: ServerFleet.Kind) async throws {
        try await ServerFleet.with(kind) { fleet in
            let alice = try await SigningDevice(of: "alice", boundBy: fleet)
            _ = try await grant(for: alice, at: fleet)
            try await fleet.backUp()
            let bob = try await SigningDevice(of: "bob", boundBy: fleet)
            #expect(try await fleet.verifyAudit().status == 0)

            try await fleet.restore()
            let audit = try await fleet.verifyAudit()
            #expect(audit.status == 1 && audit.output.contains("an exported head has"), "\(audit)")
            for number in fleet.servers.indices {
                let refused = await #expect(throws: NightlatchServerProcess.ServerProcess.NotStarted.self) {
                    try await fleet.restart(number)
                }
                #expect(refused?.description.contains("admin accept-restore") == true, "\(String(describing: refused))")
            }
            let accepted = try await fleet.acceptRestore()
            #expect(accepted.status == 0 && accepted.output.contains("ended: logins 1,"), "\(accepted)")
            let again = try await fleet.acceptRestore()
            #expect(again.status == 0 && again.output.contains("Nothing was changed"), "\(again)")
            try await fleet.startAgain()
            for address in fleet.addresses {
                _ = try await grant(for: alice, at: fleet, address: address)
            }
            let error = await #expect(throws: RelyingPartyError.self) { try await grant(for: bob, at: fleet) }
            guard case .refused(let refusal) = error, refusal.code == .messageRefused else {
                Issue.record("\(String(describing: error))")
                return
            }
            let verified = try await fleet.verifyAudit()
            #expect(verified.status == 0 && verified.output.contains("restored database was accepted"), "\(verified)")
        }
    }

    private func grant(
        for device: SigningDevice, at fleet: ServerFleet, address: Issuer? = nil
    ) async throws -> TokenGrant {
        let party = HTTPRelyingParty(issuer: address ?? fleet.addresses[0])
        let login = try await device.beginLogin(at: party)
        return try await party.tokens(login.request, proof: device.proof(nonce: login.nonce))
    }

    @Test("A running server keeps its database from being replaced, and a PostgreSQL database is refused")
    func running() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            let database = "sqlite:\(server.folder)/nightlatch.sqlite"
            _ = try await server.code()
            let copied = try await Nightlatch.run("admin", "backup", folder.path + "/copy", "--database", database)
            #expect(copied.status == 0 && copied.output.contains("1 user, 0 devices"), "\(copied)")
            let twice = try await Nightlatch.run("admin", "backup", folder.path + "/copy", "--database", database)
            #expect(twice.status == 2 && twice.errors.contains("is not overwritten"), "\(twice)")
            let refused = try await Nightlatch.run("admin", "restore", folder.path + "/copy", "--database", database)
            #expect(refused.status == 1 && refused.errors.contains("Stop every server"), "\(refused)")
            let bound = try await folder.device(
                "bind", "--server", server.url, "--code", try await server.code(), pins: ["295038"])
            #expect(bound.status == 0, "\(bound.errors)")
        }
        for command in ["backup", "restore"] {
            let refused = try await Nightlatch.run(
                "admin", command, folder.path + "/copy", "--database", "postgres://nightlatch@127.0.0.1/none")
            #expect(refused.status == 2 && refused.errors.contains("docs/operations.md"), "\(refused)")
        }
    }

    @Test("A restore that is killed at any moment leaves the earlier database or the copy, and can be repeated")
    func killed() async throws {
        let folder = try TemporaryFolder()
        let (database, copy) = ("sqlite:\(folder.path)/server/nightlatch.sqlite", folder.path + "/copy")
        try await ServerProcess.run(in: folder) { server in
            _ = try await server.code()
            let copied = try await Nightlatch.run("admin", "backup", copy, "--database", database)
            #expect(copied.status == 0, "\(copied)")
            _ = try await server.code(for: "bert")
        }
        for _ in 0..<10 {
            _ = try await Nightlatch.runAndKill(
                "admin", "restore", copy, "--database", database, pins: [],
                after: .milliseconds(Int.random(in: 0...60)))
            let users = try await Nightlatch.run("admin", "users", "--database", database)
            #expect(users.status == 0 && users.output.contains("alice"), "\(users)")
        }
        let restored = try await Nightlatch.run("admin", "restore", copy, "--database", database)
        #expect(restored.status == 0, "\(restored)")
        let users = try await Nightlatch.run("admin", "users", "--database", database)
        #expect(users.status == 0 && !users.output.contains("bert"), "\(users)")
    }
}
