import Foundation
import Nightlatch
import NightlatchCommand
import NightlatchPlatform
import NightlatchServerProcess
import NightlatchWire
import Testing

@Suite("Serving and stopping", .timeLimit(.minutes(10)))
struct ServeTests {
    /// Sends the beginning of a request over a new connection, which stays open until the server closes it.
    private func beginRequest(to server: ServerProcess) throws {
        let sender = Process()
        let output = Pipe.ofOneChild()
        sender.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        sender.arguments = [
            "bash", "-c",
            """
            exec 3<>/dev/tcp/127.0.0.1/\(server.port)
            printf 'POST /v1/login/begin HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Type: application/json\\r\\n' >&3
            printf 'Content-Length: 100\\r\\n\\r\\n{' >&3
            echo sent
            cat <&3 >/dev/null
            """,
        ]
        sender.standardOutput = output
        sender.standardError = FileHandle.nullDevice
        try sender.run()
        #expect(output.fileHandleForReading.availableData == Data("sent\n".utf8))
    }

    @Test("SIGUSR1 toggles the log level, and the last line says how long the server ran")
    func logLevel() async throws {
        let folder = try TemporaryFolder()
        let log = folder.path + "/log"
        let wrapper = ["bash", "-c", "exec \"$@\" 2>'\(log)'", "bash"]
        let options = ["--log-level", "notice"]
        let (_, status) = try await ServerProcess.run(in: folder, options: options, wrapper: wrapper) { server in
            // The process handles a signal some time after it is sent.
            func waitForLog(_ text: String) throws {
                let end = ContinuousClock.now + .seconds(60)
                while try !String(contentsOfFile: log, encoding: .utf8).contains(text), ContinuousClock.now < end {
                    sched_yield()
                }
                #expect(try String(contentsOfFile: log, encoding: .utf8).contains(text))
            }
            _ = try await HTTPRelyingParty(issuer: server.issuer).checkReadiness()
            server.send(SIGUSR1)
            try waitForLog("notice nightlatch: Changed the log level level=debug\n")
            _ = try await server.code()
            try waitForLog("Answered a request")
            server.send(SIGUSR1)
            try waitForLog("Changed the log level level=notice\n")
            _ = try await HTTPRelyingParty(issuer: server.issuer).checkReadiness()
        }
        #expect(status == 0)
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        #expect(lines.count { $0.contains("Answered a request") } == 1, "\(lines)")
        #expect(try #require(lines.last).contains(#/ notice nightlatch: Stopped seconds=\d+$/#), "\(lines)")
    }

    @Test("A request that never ends does not keep the server from stopping cleanly")
    func unfinishedRequest() async throws {
        let folder = try TemporaryFolder()
        let (_, status) = try await ServerProcess.run(in: folder, options: ["--shutdown-seconds", "1"]) { server in
            try beginRequest(to: server)
            // The server answers this request after it has read the beginning of the other one.
            #expect(try await !server.code().isEmpty)
        }
        #expect(status == 0)
    }

    @Test(
        "A server's memory goes into no core dump, whatever limit the server was started with",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/limits"), "needs /proc"))
    func coreDumps() async throws {
        let (limit, _) = try await ServerProcess.run(in: try TemporaryFolder()) { server in
            let limits = try String(contentsOfFile: "/proc/\(server.processID)/limits", encoding: .utf8)
            return limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
                .map { $0.split(separator: " ").suffix(3).map(String.init) }
        }
        #expect(limit == ["0", "0", "bytes"])
    }

    /// Sends the head of a request, which the server confirms to have read.
    ///
    /// Sends the rest once a line is written to the pipe at that path, and prints the answer.
    private func beginAnswerableRequest(
        to server: ServerProcess, goingOnAt pipe: String
    ) throws -> FileHandle {
        let sender = Process()
        let output = Pipe.ofOneChild()
        let body = #"{"user":"alice","device":"0123456789abcdef0123456789abcdef"}"#
        sender.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        sender.arguments = [
            "bash", "-c",
            """
            mkfifo '\(pipe)'
            exec 3<>/dev/tcp/127.0.0.1/\(server.port) 4<>'\(pipe)'
            printf 'POST /v1/login/begin HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Type: application/json\\r\\n' >&3
            printf 'Expect: 100-continue\\r\\nContent-Length: \(body.utf8.count)\\r\\n\\r\\n' >&3
            read -r word <&3; read -r blank <&3
            echo "$word"
            read -r go <&4
            printf '%s' '\(body)' >&3
            cat <&3
            """,
        ]
        sender.standardOutput = output
        sender.standardError = FileHandle.nullDevice
        try sender.run()
        try #require(output.fileHandleForReading.availableData == Data("HTTP/1.1 100 Continue\r\n".utf8))
        return output.fileHandleForReading
    }

    /// Whether the server answers a new connection.
    private func isReachable(_ server: ServerProcess) async -> Bool {
        do {
            _ = try await HTTPRelyingParty(issuer: server.issuer).checkReadiness()
            return true
        } catch {
            return false
        }
    }

    @Test("A request that began before the server was asked to stop is answered before the server ends")
    func requestUnderway() async throws {
        let folder = try TemporaryFolder()
        let options = ["--shutdown-seconds", "120", "--arrival-seconds", "120"]
        let (answer, status) = try await ServerProcess.run(in: folder, options: options, stopping: false) { server in
            let pipe = folder.path + "/go"
            let output = try beginAnswerableRequest(to: server, goingOnAt: pipe)
            let end = ContinuousClock.now + .seconds(60)
            server.send(SIGTERM)
            // The server accepts no new connections before it has finished the old one.
            while await isReachable(server), ContinuousClock.now < end {}
            #expect(await !isReachable(server))
            try FileHandle(forWritingAtPath: pipe)?.write(contentsOf: Data("go\n".utf8))
            return String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
        }
        #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
        #expect(answer.contains("\"challenge\":"))
        #expect(status == 0)
    }

    @Test("After the loss of the master key the server says how to continue, and devices stay bound and log in again")
    func lostMasterKey() async throws {
        let folder = try TemporaryFolder()
        let (port, _) = try await ServerProcess.run(in: folder) { server in
            let bound = try await folder.device(
                "bind", "--server", server.url, "--code", try await server.code(), pins: ["295038"])
            #expect(bound.status == 0, "\(bound.errors)")
            #expect(try await folder.device("login", pins: ["295038"]).status == 0)
            return server.port
        }
        try FileManager.default.removeItem(atPath: folder.path + "/server/master.key")
        await #expect(throws: ServerProcess.NoGreeting.self) {
            try await ServerProcess.run(in: folder, port: port) { _ in }
        }
        let forgotten = try await Nightlatch.run(
            "admin", "forget-signing-keys", "--database", "sqlite:\(folder.path)/server/nightlatch.sqlite")
        #expect(forgotten.output == "forgot 1 signing key\n", "\(forgotten.errors)")
        try await ServerProcess.run(in: folder, port: port) { _ in
            let devices = try await folder.device("devices", pins: ["295038"])
            #expect(devices.status == 0 && devices.output.contains("active"), "\(devices.errors)")
            #expect(try await folder.device("login", pins: ["295038"]).status == 0)
        }
    }

    @Test("A login beyond the rate limit is refused with the time to wait, and nothing is lost")
    func rateLimit() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder, options: ["--account-rate", "1"]) { server in
            let bound = try await folder.device(
                "bind", "--server", server.url, "--code", try await server.code(), pins: ["295038"])
            #expect(bound.status == 0, "\(bound.errors)")
            #expect(try await folder.device("login", pins: ["295038"]).status == 0)
            let second = try await folder.device("login", pins: ["295038"])
            #expect(second.status == 3 && second.errors.contains("rate_limited, HTTP 429"), "\(second.errors)")
            #expect(second.errors.contains(#/Try again in \d+ s\./#), "\(second.errors)")
        }
    }

    @Test("A server that cannot write is not ready")
    func fullDisk() async throws {
        let folder = try TemporaryFolder()
        // The limit is on the size of each file, in KiB. The signal of this limit would end the server, so it is
        // ignored.
        let wrapper = ["bash", "-c", "trap '' XFSZ; ulimit -f 1024; exec \"$@\"", "bash"]
        try await ServerProcess.run(in: folder, wrapper: wrapper) { server in
            var answered = 0
            while try await !server.code().isEmpty, answered < 500 { answered += 1 }
            #expect((1..<500).contains(answered))
            // A readiness check takes less room than a code, so the first checks may still succeed; each one uses some
            // room.
            let refusal = try await Self.firstRefusal {
                try await HTTPRelyingParty(issuer: server.issuer).checkReadiness()
            }
            #expect(refusal.status == 503 && refusal.code == .unavailable)
        }
    }

    /// Asks until there is a refusal.
    private static func firstRefusal(_ ask: () async throws -> Health) async throws -> RelyingPartyRefusal {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            do {
                _ = try await ask()
            } catch RelyingPartyError.refused(let refusal) {
                return refusal
            }
        }
        throw NeverRefused()
    }

    private struct NeverRefused: Error {}

    @Test("A server that watches its input stops cleanly when the input ends")
    func inputEnds() async throws {
        let folder = try TemporaryFolder()
        let (_, status) = try await ServerProcess.run(in: folder, options: ["--until-stdin-ends"], stopping: false) {
            _ in
        }
        #expect(status == 0)
    }
}
