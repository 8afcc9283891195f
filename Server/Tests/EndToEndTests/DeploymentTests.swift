import Foundation
import NightlatchCommand
import Subprocess
import Testing

@Suite("Deployment", .timeLimit(.minutes(10)))
struct DeploymentTests {
    private static let unit = PythonEnvironment.root + "/deploy/nightlatch.service"
    private static let containerfile = PythonEnvironment.root + "/Containerfile"

    private func analyze(_ arguments: [String]) async throws -> Outcome {
        let result = try await Subprocess.run(
            .name("systemd-analyze"), arguments: Arguments(arguments), output: .string(limit: 1 << 18),
            error: .string(limit: 1 << 16))
        return Outcome(
            status: result.terminationStatus.number, output: result.standardOutput, errors: result.standardError)
    }

    @Test(
        "systemd accepts every line of the unit and rates its exposure as low",
        .enabled("systemd-analyze is Debian's package systemd") {
            FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")
        })
    func unit() async throws {
        // The command is not installed where tests run, so a copy of the unit starts the built one.
        let folder = try TemporaryFolder()
        let copy = folder.path + "/nightlatch.service"
        let text = try String(contentsOfFile: Self.unit, encoding: .utf8)
        let start = "/usr/local/bin/nightlatch"
        #expect(text.contains("ExecStart=\(start) serve\n"))
        try text.replacing(start, with: Nightlatch.path).write(toFile: copy, atomically: true, encoding: .utf8)
        let verified = try await analyze(["verify", "--recursive-errors=no", copy])
        #expect(verified.status == 0 && verified.errors.isEmpty, "\(verified.errors)")
        // In tenths: 0 means nothing is exposed, 100 everything. The server needs network addresses, so 0 is
        // impossible.
        let rated = try await analyze(["security", "--offline=true", "--no-pager", "--threshold=15", copy])
        #expect(rated.status == 0, "\(rated.output)")
    }

    @Test("The unit and the image set only settings that the server has, and the documentation lists all settings")
    func settings() throws {
        let known = Set(ServeSetting.allCases.map(\.environmentName))
        for path in [Self.unit, Self.containerfile] {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let names = text.matches(of: #/\b(NIGHTLATCH_[A-Z_]+)=/#).map { String($0.1) }
            #expect(names.count >= 5 && known.isSuperset(of: names), "\(names)")
        }
        let text = try String(contentsOfFile: PythonEnvironment.root + "/docs/operations.md", encoding: .utf8)
        for setting in ServeSetting.allCases {
            let row = "| `\(setting.flag)` | `\(setting.environmentName)` | `\(setting.rawValue)` |"
            #expect(text.contains(row), "\(row)")
        }
    }

    @Test("The documentation and the deployment name only variables that the commands know")
    func documentedVariables() throws {
        let root = PythonEnvironment.root
        let documents = try FileManager.default.contentsOfDirectory(atPath: root + "/docs").filter {
            $0.hasSuffix(".md")
        }.map { root + "/docs/" + $0 }
        let pages = documents + [root + "/README.md", root + "/CONTRIBUTING.md", root + "/Makefile"]
        var named: Set<String> = []
        for path in pages + [Self.unit, Self.containerfile] {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            named.formUnion(text.matches(of: #/\bNIGHTLATCH_[A-Z_]+/#).map { String($0.output) })
        }
        #expect(named.isSubset(of: EnvironmentNames.known), "\(named.subtracting(EnvironmentNames.known).sorted())")
        #expect(EnvironmentNames.known.subtracting(["NIGHTLATCH_LIMIT_SECONDS"]).isSubset(of: named))
    }

    @Test("systemd restarts the unit until its database is up, and the unit exports audit heads")
    func restarts() throws {
        let lines = try String(contentsOfFile: Self.unit, encoding: .utf8).split(separator: "\n")
        for line in ["StartLimitIntervalSec=0", "RestartPreventExitStatus=1 2", "LogsDirectory=nightlatch"] {
            #expect(lines.contains { $0 == line }, "\(line)")
        }
        #expect(lines.contains("Environment=NIGHTLATCH_AUDIT_HEADS_FILE=/var/log/nightlatch/heads"))
    }

    @Test("The health command reports whether a server is ready")
    func health() async throws {
        let folder = try TemporaryFolder()
        let url = try await ServerProcess.run(in: folder) { server in
            let ready = try await Nightlatch.run("health", "--server", server.url)
            #expect(ready.status == 0 && ready.output == "ready\n", "\(ready.errors)")
            return server.url
        }.value
        #expect(try await Nightlatch.run("health", "--server", url).status == 3)
        #expect(try await Nightlatch.run("health", "--server", "http://example.com").status == 2)
    }

    @Test("Without an address, the health command asks the server that the settings name, with TLS or without")
    func ownHealth() async throws {
        let folder = try TemporaryFolder()
        let certificates = try await TestCertificates(in: folder.path)
        func health(_ values: [String: String]) async throws -> Outcome {
            var environment = Nightlatch.environment
            for (name, value) in values {
                environment = environment.updating([.init(stringLiteral: "NIGHTLATCH_" + name): value])
            }
            return try await Nightlatch.run("health", environment: environment)
        }
        let port = try await ServerProcess.run(in: folder) { server in
            for listen in ["127.0.0.1", "0.0.0.0"] {
                let ready = try await health(["LISTEN": "\(listen):\(server.port)"])
                #expect(ready.status == 0 && ready.output == "ready\n", "\(ready.errors)")
            }
            let settings = folder.path + "/settings.json"
            try Data(#"{"listen": "127.0.0.1:\#(server.port)"}"#.utf8).write(to: URL(fileURLWithPath: settings))
            #expect(try await health(["CONFIG": settings]).status == 0)
            return server.port
        }.value
        let stopped = try await health(["LISTEN": "127.0.0.1:\(port)"])
        #expect(stopped.status == 3 && stopped.output.isEmpty && stopped.errors.contains("No relying party answers"))

        let tls = ["TLS_CERTIFICATE": certificates.certificate, "TLS_KEY": certificates.key]
        let options = ["--tls-certificate", certificates.certificate, "--tls-key", certificates.key]
        try await ServerProcess.run(in: folder, options: options) { server in
            let listen = ["LISTEN": "127.0.0.1:\(server.port)"]
            let ready = try await health(listen.merging(tls) { $1 })
            #expect(ready.status == 0 && ready.output == "ready\n", "\(ready.errors)")
            #expect(try await health(listen).status == 3)
        }
    }

    @Test("A key file that the group can read is accepted only from systemd's credentials directory")
    func credentials() async throws {
        let folder = try TemporaryFolder()
        func serve(_ environment: Subprocess.Environment) async throws -> Outcome {
            try await Nightlatch.run(
                [
                    "serve", "--until-stdin-ends", "--listen", "127.0.0.1:0", "--database", "sqlite:\(folder.path)/db",
                    "--master-key-file", folder.path + "/master.key", "--backend-key-file",
                    folder.path + "/backend.key",
                ], environment: environment)
        }
        #expect(try await serve(.inherit).status == 0)
        for key in ["master.key", "backend.key"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o440], ofItemAtPath: folder.path + "/" + key)
        }
        let elsewhere = try await serve(.inherit)
        #expect(elsewhere.status == 1 && elsewhere.errors.contains("chmod 600"), "\(elsewhere.errors)")
        let lending = Subprocess.Environment.inherit.updating(["CREDENTIALS_DIRECTORY": folder.path])
        #expect(try await serve(lending).status == 0)
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: folder.path + "/master.key")
        #expect(try await serve(lending).status == 1)
    }

    @Test("The image contains no keys and no compiler, and runs as an unprivileged user")
    func containerfile() throws {
        let lines = try String(contentsOfFile: Self.containerfile, encoding: .utf8).split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("FROM ") }.count == 2)
        let last = try #require(lines.lastIndex { $0.hasPrefix("FROM ") })
        let image = lines[last...]
        #expect(image.contains("USER 65532:65532"))
        #expect(image.contains { $0.hasPrefix("HEALTHCHECK ") && $0.contains(#"["nightlatch", "health"]"#) })
        #expect(!image.contains { $0.hasPrefix("COPY ") && !$0.contains("--from=build") })
        #expect(!image.contains { $0.contains("-dev") || $0.contains("gcc") })
    }
}
