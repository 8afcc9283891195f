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

    @Test(
        "A misspelt variable is refused with the nearest name and without its value, before the command does anything",
        arguments: [
            ("serve", "NIGHTLATCH_DATABSE", "NIGHTLATCH_DATABASE"),
            ("serve", "NIGHTLATCH_MASTERKEY", "NIGHTLATCH_MASTER_KEY"),
            ("doctor", "NIGHTLATCH_HOEM", "NIGHTLATCH_HOME"),
            ("health", "NIGHTLATCH_LISTEN_", "NIGHTLATCH_LISTEN"),
            ("health", "NIGHTLATCH_PORT", "NIGHTLATCH_HOME"),
        ])
    func misspeltVariable(command: String, name: String, nearest: String) async throws {
        let environment = Nightlatch.environment.updating([.init(stringLiteral: name): "a-secret"])
        let refused = try await Nightlatch.run(command, environment: environment)
        #expect(refused.status == 2 && refused.output.isEmpty)
        let sentence = "\(name) is no variable of Nightlatch; the nearest is \(nearest). Correct or unset it."
        #expect(refused.errors.contains(sentence) && !refused.errors.contains("a-secret"), "\(refused.errors)")
    }

    @Test("Help, variables of the builds and those that Kubernetes sets for a service are not refused")
    func acceptedVariables() async throws {
        let misspelt = Nightlatch.environment.updating(["NIGHTLATCH_DATABSE": "x"])
        #expect(try await Nightlatch.run("--version", environment: misspelt).status == 0)
        #expect(try await Nightlatch.run("serve", "--help", environment: misspelt).status == 0)
        #expect(throws: Never.self) {
            try EnvironmentNames.refuseUnknown(in: [
                "NIGHTLATCH_WARNINGS_AS_ERRORS": "server", "NIGHTLATCH_SERVICE_HOST": "10.0.0.1",
                "NIGHTLATCH_SERVICE_PORT": "8080", "NIGHTLATCH_SERVICE_PORT_HTTP": "8080",
                "NIGHTLATCH_PORT": "tcp://10.0.0.1:8080", "NIGHTLATCH_PORT_8080_TCP": "tcp://10.0.0.1:8080",
                "NIGHTLATCH_PORT_8080_TCP_ADDR": "10.0.0.1", "NIGHTLATCH_DB_PORT_5432_TCP_PROTO": "tcp", "PATH": "",
            ])
        }
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
