import Foundation
import Testing

@Suite("Processes that are killed at any moment and started again", .timeLimit(.minutes(10)))
struct KillTests {
    /// Returns a moment between the start of the process and the end of its work.
    private static func randomDelay(upTo milliseconds: Int) -> Duration {
        .milliseconds(Int.random(in: 0...milliseconds))
    }

    @Test("A registration that is killed again and again ends with one bound device")
    func killedRegistrations() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            let code = try await server.code()
            for _ in 0..<12 {
                _ = try await Nightlatch.runAndKill(
                    "bind", "--server", server.url, "--code", code, "--home", folder.home, "--pin-fd", "0",
                    pins: ["295038"], after: Self.randomDelay(upTo: 700))
                // A killed attempt is charged. The right PIN resets the count; without it the third attempt would
                // impose a wait.
                let opened = try await folder.device("unlock", pins: ["295038"])
                #expect(opened.status == 0 || opened.errors.contains("no vault here"), "\(opened.errors)")
            }
            let last = try await folder.device(
                "bind", "--server", server.url, "--code", code, pins: ["295038"])
            #expect(last.status == 0, "\(last.errors)")
            let devices = try await folder.device("devices", pins: ["295038"])
            #expect(devices.status == 0, "\(devices.errors)")
            #expect(devices.output.split(separator: "\n").count == 1, "\(devices.output)")
        }
    }

    @Test("After a killed PIN change, exactly one PIN opens the vault")
    func killedPinChanges() async throws {
        let folder = try TemporaryFolder()
        var (current, other) = ("295038", "741906")
        try await ServerProcess.run(in: folder) { server in
            let bound = try await folder.device(
                "bind", "--server", server.url, "--code", try await server.code(), pins: [current])
            #expect(bound.status == 0, "\(bound.errors)")
            for _ in 0..<12 {
                _ = try await Nightlatch.runAndKill(
                    "pin", "change", "--home", folder.home, "--pin-fd", "0", "--new-pin-fd", "0",
                    pins: [current, other], after: Self.randomDelay(upTo: 1200))
                let opened = try await folder.device("unlock", pins: [current])
                if opened.status != 0 {
                    #expect(opened.errors.contains("Wrong PIN"), "\(opened.errors)")
                    swap(&current, &other)
                }
                let right = try await folder.device("unlock", pins: [current])
                #expect(right.status == 0, "\(right.errors)")
            }
            let wrong = try await folder.device("unlock", pins: [other])
            #expect(wrong.status == 1 && wrong.errors.contains("9 attempts left"))
            let login = try await folder.device("login", pins: [current])
            #expect(login.status == 0, "\(login.errors)")
        }
    }

    @Test("A killed server starts again with the same devices, tokens, keys and database")
    func killedServer() async throws {
        let folder = try TemporaryFolder()
        var (port, status) = try await ServerProcess.run(in: folder, port: LoopbackPort.free()) { server in
            let bound = try await folder.device(
                "bind", "--server", server.url, "--code", try await server.code(), pins: ["295038"])
            #expect(bound.status == 0, "\(bound.errors)")
            server.kill()
            return server.port
        }
        #expect(status == -9)
        for _ in 0..<6 {
            (port, status) = try await ServerProcess.run(in: folder, port: port) { server in
                let login = try await folder.device("login", pins: ["295038"])
                #expect(login.status == 0, "\(login.errors)")
                async let refreshing = folder.device("devices", pins: ["295038"])
                // This sleep waits for nothing: the delay chooses the moment at which the process dies.
                try await Task.sleep(for: Self.randomDelay(upTo: 700))
                server.kill()
                let interrupted = try await refreshing
                #expect([0, 3].contains(interrupted.status), "\(interrupted.errors)")
                return server.port
            }
            #expect(status == -9)
            let down = try await folder.device("devices", pins: ["295038"])
            #expect(down.status == 3, "\(down.errors)")
        }
        try await ServerProcess.run(in: folder, port: port) { _ in
            let devices = try await folder.device("devices", pins: ["295038"])
            #expect(devices.status == 0 && devices.output.contains("active"), "\(devices.errors)")
        }
    }
}
