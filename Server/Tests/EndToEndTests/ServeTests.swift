import Foundation
import Testing

@Suite("Serving and stopping")
struct ServeTests {
    /// Sends the beginning of a request over a connection of its own, which stays open until the process ends.
    private func beginRequest(to server: ServerProcess) throws -> Process {
        let sender = Process()
        let output = Pipe()
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
        try sender.run()
        #expect(output.fileHandleForReading.availableData == Data("sent\n".utf8))
        return sender
    }

    @Test("a request that never ends does not keep the server from stopping cleanly")
    func unfinishedRequest() async throws {
        let folder = try TemporaryFolder()
        let (sender, status) = try await ServerProcess.run(in: folder, options: ["--shutdown-seconds", "1"]) { server in
            let sender = try beginRequest(to: server)
            // The server answers this after it has read that.
            #expect(try await !server.code().isEmpty)
            return sender
        }
        #expect(status == 0)
        sender.waitUntilExit()
    }

    @Test("a server that is to watch its input stops cleanly when that ends")
    func inputEnds() async throws {
        let folder = try TemporaryFolder()
        let (_, status) = try await ServerProcess.run(in: folder, options: ["--until-stdin-ends"], stopping: false) {
            _ in
        }
        #expect(status == 0)
    }
}
