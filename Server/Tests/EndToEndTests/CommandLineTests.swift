import NightlatchCommand
import NightlatchProgram
import Subprocess
import Testing

@Suite("The command line", .timeLimit(.minutes(10)))
struct CommandLineTests {
    @Test("The command prints its release")
    func version() async throws {
        let told = try await Nightlatch.run("--version")
        #expect(told.status == 0 && told.output == Release.version + "\n", "\(told)")
        #expect(Release.version.wholeMatch(of: #/\d+\.\d+\.\d+/#) != nil)
    }

    @Test("Every command reads its key files from the environment, and a flag takes precedence")
    func keyFiles() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            let environment = Nightlatch.environment.updating([
                "NIGHTLATCH_DATABASE": "sqlite:\(server.folder)/nightlatch.sqlite",
                "NIGHTLATCH_MASTER_KEY_FILE": server.folder + "/master.key",
                "NIGHTLATCH_BACKEND_KEY_FILE": server.folder + "/backend.key",
            ])
            let ofMasterKey = [["audit", "heads"], ["audit", "verify"], ["admin", "rotate-signing-key"]]
            let ofBackendKey = [["admin", "enrolment-code"], ["admin", "transaction", "list"]].map {
                $0 + ["--user", "alice", "--server", server.url]
            }
            let none = folder.path + "/none.key"
            for (commands, flag) in [(ofMasterKey, "--master-key-file"), (ofBackendKey, "--backend-key-file")] {
                for command in commands {
                    let told = try await Nightlatch.run(command, environment: environment)
                    #expect(told.status == 0, "\(command): \(told.errors)")
                    let refused = try await Nightlatch.run(command + [flag, none], environment: environment)
                    #expect(refused.status == 2 && refused.errors.contains("there is no file \(none)"), "\(command)")
                }
            }
        }
    }

    @Test("A server address with a trailing slash is refused with a message about the slash")
    func slash() async throws {
        for command in [["health"], ["admin", "enrolment-code", "--user", "alice"]] {
            let refused = try await Nightlatch.run(command + ["--server", "https://login.example/"])
            #expect(
                refused.status == 2 && refused.errors.contains("must not end with a slash: use https://login.example"))
        }
    }
}
