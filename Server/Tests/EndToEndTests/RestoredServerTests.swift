import Foundation
import Testing

@Suite("A server that was restored from an older backup", .timeLimit(.minutes(10)))
struct RestoredServerTests {
    @Test("The device is told what to do, and a new code binds it again while its vault stays")
    func bindAgain() async throws {
        let folder = try TemporaryFolder()
        let pin = "295038"
        let (port, _) = try await ServerProcess.run(in: folder, port: LoopbackPort.free()) { server in
            let registered = try await folder.device(
                "register", "--server", server.url, "--code", try await server.code(), pins: [pin])
            #expect(registered.status == 0, "\(registered.errors)")
            return server.port
        }
        let vault = try Data(contentsOf: URL(filePath: folder.home + "/vault"))
        // The backup is older than the first user.
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: folder.path + "/server/nightlatch.sqlite" + suffix)
        }
        try await ServerProcess.run(in: folder, port: port) { server in
            let refused = try await folder.device("login", pins: [pin])
            #expect(refused.status == 1)
            #expect(refused.errors.contains("get a new code and run `nightlatch register`"), "\(refused.errors)")

            let other = try await folder.device(
                "register", "--server", server.url, "--code", try await server.code(for: "bert"), pins: [pin])
            #expect(other.status == 1 && other.errors.contains("The code is for bert"), "\(other.errors)")

            let again = try await folder.device(
                "register", "--server", server.url, "--code", try await server.code(), pins: [pin])
            #expect(again.status == 0 && again.output.hasPrefix("bound to alice"), "\(again.errors)")
            let login = try await folder.device("login", pins: [pin])
            #expect(login.status == 0, "\(login.errors)")
        }
        #expect(try Data(contentsOf: URL(filePath: folder.home + "/vault")) != vault, "the binding is in it")
    }
}
