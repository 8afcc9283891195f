import Foundation
import NightlatchCommand
import NightlatchProgram
import Subprocess
import Testing

@Suite("A server with its own TLS", .timeLimit(.minutes(10)))
struct TLSTests {
    private func options(_ certificates: TestCertificates) -> [String] {
        ["--tls-certificate", certificates.certificate, "--tls-key", certificates.key]
    }

    /// Returns OpenSSL's report of a handshake.
    private func handshake(
        _ server: ServerProcess, _ certificates: TestCertificates, _ options: String
    ) async throws -> Outcome {
        try await certificates.run(
            "openssl s_client -connect 127.0.0.1:\(server.port) -CAfile ca.pem -verify_return_error \(options) </dev/null"
        )
    }

    @Test(
        "A device that trusts the server's authority is bound and logged in, and another device is not",
        .enabled("Foundation's authorities are a file of the system's, which needs a mount of one's own to be another")
        {
            await TestCertificates.canBeTheSystems()
        })
    func story() async throws {
        let folder = try TemporaryFolder()
        let certificates = try await TestCertificates(in: folder.path)
        try await ServerProcess.run(in: folder, options: options(certificates)) { server in
            #expect(server.url.hasPrefix("https://127.0.0.1:"))
            func device(_ arguments: String..., isTrusting: Bool = true) async throws -> Outcome {
                try await Nightlatch.run(
                    arguments + ["--home", folder.home, "--pin-fd", "0"], pins: ["295038"],
                    wrapper: isTrusting ? certificates.trusting : [])
            }
            let backend = ["--server", server.url, "--backend-key-file", server.folder + "/backend.key"]
            let code = try await Nightlatch.run(
                ["admin", "enrolment-code", "--user", "alice"] + backend, wrapper: certificates.trusting
            ).output.trimmingCharacters(in: .whitespacesAndNewlines)
            let distrustful = try await device("bind", "--server", server.url, "--code", code, isTrusting: false)
            #expect(distrustful.status == 3 && distrustful.errors.contains("certificate"), "\(distrustful.errors)")
            let bound = try await device("bind", "--server", server.url, "--code", code)
            #expect(bound.status == 0, "\(bound.errors)")
            let loggedIn = try await device("login")
            #expect(loggedIn.status == 0, "\(loggedIn.errors)")
        }
    }

    @Test("A device that is given the authority of the server is bound and logged in, and so is its operator")
    func givenAuthority() async throws {
        let folder = try TemporaryFolder()
        let certificates = try await TestCertificates(in: folder.path)
        let authority = ["--ca-file", certificates.authority]
        let variable = Nightlatch.environment.updating(["NIGHTLATCH_CA_FILE": certificates.authority])
        try await ServerProcess.run(in: folder, options: options(certificates)) { server in
            #expect(try await Nightlatch.run(["health", "--server", server.url] + authority).status == 0)
            let code = try await Nightlatch.run(
                [
                    "admin", "enrolment-code", "--user", "alice", "--server", server.url, "--backend-key-file",
                    server.folder + "/backend.key",
                ] + authority
            ).output.trimmingCharacters(in: .whitespacesAndNewlines)
            func device(_ arguments: [String], _ environment: Subprocess.Environment) async throws -> Outcome {
                try await Nightlatch.run(
                    arguments + ["--home", folder.home, "--pin-fd", "0"], pins: ["295038"], environment: environment)
            }
            let binding = ["bind", "--server", server.url, "--code", code, "--two-party"]
            let bound = try await device(binding + authority, Nightlatch.environment)
            #expect(bound.status == 0, "\(bound.errors)")
            let loggedIn = try await device(["login"], variable)
            #expect(loggedIn.status == 0, "\(loggedIn.errors)")
            let distrustful = try await device(["login"], Nightlatch.environment)
            #expect(distrustful.status == 3 && distrustful.errors.contains("certificate"), "\(distrustful.errors)")
        }
    }

    @Test("A server whose certificate is for another host is refused, although its authority is trusted")
    func otherHost() async throws {
        let folder = try TemporaryFolder()
        let certificates = try await TestCertificates(in: folder.path)
        try await certificates.run("printf 'subjectAltName=DNS:other.example,IP:192.0.2.1' >extensions")
        try await certificates.renew()
        try await ServerProcess.run(in: folder, options: options(certificates)) { server in
            let refused = try await Nightlatch.run(
                "health", "--server", server.url, "--ca-file", certificates.authority)
            #expect(refused.status == 3 && refused.errors.contains("certificate"), "\(refused)")
        }
    }

    @Test("A server of another authority is refused, and a file without certificate is a wrong use")
    func otherAuthority() async throws {
        let (folder, otherFolder) = (try TemporaryFolder(), try TemporaryFolder())
        let certificates = try await TestCertificates(in: folder.path)
        let others = try await TestCertificates(in: otherFolder.path)
        try await ServerProcess.run(in: folder, options: options(certificates)) { server in
            func health(_ file: String) async throws -> Outcome {
                try await Nightlatch.run("health", "--server", server.url, "--ca-file", file)
            }
            let refused = try await health(others.authority)
            #expect(refused.status == 3 && refused.errors.contains("no trusted certificate"), "\(refused.errors)")
            for file in [certificates.key, folder.path + "/none.pem", ""] {
                let unusable = try await health(file)
                #expect(unusable.status == 2 && unusable.errors.contains("“\(file)” contains no"), "\(unusable.errors)")
            }
        }
    }

    @Test(
        """
        TLS 1.3 and 1.2 are accepted; older versions, ciphers without forward secrecy and plain HTTP are refused and \
        counted
        """)
    func versions() async throws {
        let folder = try TemporaryFolder()
        let certificates = try await TestCertificates(in: folder.path)
        let metricsPort = try ListeningAddress("127.0.0.1:0").port
        let options = options(certificates) + ["--metrics-address", "127.0.0.1:\(metricsPort)"]
        try await ServerProcess.run(in: folder, options: options) { server in
            let newest = try await handshake(server, certificates, "")
            #expect(newest.status == 0 && newest.output.contains("TLSv1.3"), "\(newest.errors)")
            let older = try await handshake(server, certificates, "-tls1_2")
            #expect(older.status == 0 && older.output.contains("ECDHE-ECDSA-AES"), "\(older.errors)")
            let cbc = "-tls1_2 -cipher ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0"
            for refused in ["-tls1_1 -cipher ALL:@SECLEVEL=0", cbc] {
                #expect(try await handshake(server, certificates, refused).status != 0, "\(refused)")
            }
            let plain = try await certificates.run(
                "exec 3<>/dev/tcp/127.0.0.1/\(server.port); printf 'GET /health/live HTTP/1.1\\r\\n\\r\\n' >&3; cat <&3"
            )
            #expect(!plain.output.contains("HTTP/1.1"))
            let refused = try await certificates.run(
                "curl -s http://127.0.0.1:\(metricsPort)/metrics | grep 'connections_refused_total{reason=\"tls\"}'")
            #expect(refused.output == "nightlatch_connections_refused_total{reason=\"tls\"} 3\n")
        }
    }

    @Test("A renewed certificate is read at SIGHUP, and an invalid one leaves the old certificate in use")
    func renewal() async throws {
        let folder = try TemporaryFolder()
        let certificates = try await TestCertificates(in: folder.path)
        let log = folder.path + "/log"
        let wrapper = ["bash", "-c", "exec \"$@\" 2>'\(log)'", "bash"]
        let options = options(certificates)
        let (_, status) = try await ServerProcess.run(in: folder, options: options, wrapper: wrapper) { server in
            // The process handles a signal some time after it is sent.
            func waitForLog(_ text: String) throws {
                let end = ContinuousClock.now + .seconds(60)
                while try !String(contentsOfFile: log, encoding: .utf8).contains(text), ContinuousClock.now < end {
                    sched_yield()
                }
                #expect(try String(contentsOfFile: log, encoding: .utf8).contains(text))
            }
            func served() async throws -> String {
                let script =
                    "echo | openssl s_client -connect 127.0.0.1:\(server.port) 2>/dev/null | openssl x509 -noout -serial"
                return try await certificates.run(script).output
            }
            let first = try await certificates.serial()
            #expect(try await served() == first)
            try await certificates.renew()
            let second = try await certificates.serial()
            #expect(second != first)
            #expect(try await served() == first)
            server.send(SIGHUP)
            try waitForLog("Reloaded the certificate")
            #expect(try await served() == second)
            try Data("none".utf8).write(to: URL(fileURLWithPath: certificates.certificate))
            server.send(SIGHUP)
            try waitForLog("Failed to reload the certificate")
            #expect(try await served() == second)
        }
        #expect(status == 0)
    }

    @Test(
        """
        The server does not start with a key that others may read, a key of another certificate, only one of the two \
        files, or an http issuer
        """)
    func refusals() async throws {
        let folder = try TemporaryFolder()
        let certificates = try await TestCertificates(in: folder.path)
        func serve(_ options: [String]) async throws -> Outcome {
            let files = ["--master-key-file", folder.path + "/m.key", "--backend-key-file", folder.path + "/b.key"]
            return try await Nightlatch.run(
                ["serve", "--until-stdin-ends", "--listen", "127.0.0.1:0", "--database", "sqlite:\(folder.path)/db"]
                    + files
                    + options)
        }
        let half = try await serve(["--tls-key", certificates.key])
        #expect(half.status == 2 && half.errors.contains("need each other"), "\(half.errors)")
        let plain = try await serve(options(certificates) + ["--issuer", "http://127.0.0.1:1"])
        #expect(plain.status == 2 && plain.errors.contains("begins with https"), "\(plain.errors)")
        let other = try await serve([
            "--tls-certificate", certificates.certificate, "--tls-key", folder.path + "/ca.key",
        ])
        #expect(other.status == 1 && other.errors.contains("does not belong to the certificate"), "\(other.errors)")
        let none = try await serve(["--tls-certificate", certificates.key, "--tls-key", certificates.key])
        #expect(none.status == 2 && none.errors.contains("no certificate"), "\(none.errors)")
        try await certificates.run("chmod 640 tls.key")
        let open = try await serve(options(certificates))
        #expect(open.status == 1 && open.errors.contains("chmod 600"), "\(open.errors)")
    }
}
