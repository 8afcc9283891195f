import Nightlatch
import NightlatchPlatform
import NightlatchRelyingParty
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
        func users() async throws -> Outcome { try await Nightlatch.run("admin", "users", "--database", database) }
        let (copied, _) = try await ServerProcess.run(in: folder) { server in
            _ = try await server.code()
            let users = try await users()
            #expect(try await Nightlatch.run("admin", "backup", copy, "--database", database).status == 0)
            _ = try await server.code(for: "bert")
            return users
        }
        let earlier = try await users()
        #expect(copied.status == 0 && copied.output != earlier.output)
        var killCount = 0
        for delay in stride(from: 5, to: 125, by: 10) {
            let hasEnded = try await Nightlatch.runAndKill(
                "admin", "restore", copy, "--database", database, pins: [], after: .milliseconds(delay))
            if !hasEnded { killCount += 1 }
            let users = try await users()
            #expect(users.status == 0 && [earlier.output, copied.output].contains(users.output), "\(users)")
        }
        #expect(killCount > 0)
        let restored = try await Nightlatch.run("admin", "restore", copy, "--database", database)
        #expect(restored.status == 0, "\(restored)")
        #expect(try await users().output == copied.output)
    }

    @Test("A restore is accepted only under the master key of the heads; without heads it is accepted if that is said")
    func acceptance() async throws {
        let folder = try TemporaryFolder()
        let heads = folder.path + "/heads"
        let (server, copy) = (folder.path + "/server", folder.path + "/copy")
        try await ServerProcess.run(in: folder, options: ["--audit-heads-file", heads]) { server in
            _ = try await server.code()
            let database = "sqlite:\(server.folder)/nightlatch.sqlite"
            #expect(try await Nightlatch.run("admin", "backup", copy, "--database", database).status == 0)
            _ = try await server.code(for: "bert")
        }
        let database = ["--database", "sqlite:\(server)/nightlatch.sqlite"]
        #expect(try await Nightlatch.run(["admin", "restore", copy] + database).status == 0)
        func accept(_ key: String, _ options: String...) async throws -> Outcome {
            try await Nightlatch.run(["admin", "accept-restore", "--master-key-file", key] + options + database)
        }
        let other = folder.path + "/other.key"
        _ = try MasterKey.loadOrCreate(at: other)
        let foreign = try await accept(other, "--heads", heads)
        #expect(foreign.status == 1 && foreign.errors.contains("sealed under another master key"), "\(foreign)")
        let unnamed = try await accept(server + "/master.key")
        #expect(unnamed.status == 2 && unnamed.errors.contains("--without-heads"), "\(unnamed)")
        let lost = try await accept(server + "/master.key", "--heads", folder.path + "/none")
        #expect(lost.status == 3 && lost.errors.contains("--without-heads"), "\(lost)")
        let accepted = try await accept(server + "/master.key", "--without-heads")
        #expect(accepted.status == 0 && accepted.output.contains("unused enrolment codes 1,"), "\(accepted)")
        // The heads still show that the database is older: they were not named.
        let named = try await accept(server + "/master.key", "--heads", heads)
        #expect(named.status == 0 && named.output.contains("an exported head has"), "\(named)")
        let again = try await accept(server + "/master.key", "--heads", heads)
        #expect(again.status == 0 && again.output.contains("Nothing was changed"), "\(again)")
    }
}
