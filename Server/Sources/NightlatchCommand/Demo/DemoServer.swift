import Foundation
import NightlatchWire
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The server of the demonstration: this program's `serve`, in a process of its own.
final class DemoServer: Sendable {
    private let folder: String
    private let process = Mutex<Process?>(nil)

    init(folder: String) {
        self.folder = folder
    }

    var backendKeyPath: String { folder + "/backend.key" }

    /// The id of the server's process, if it runs.
    var processID: Int32? { process.withLock { $0?.processIdentifier } }

    /// Starts the server and waits until it listens.
    ///
    /// - Parameter port: The port of the loopback address; 0 for a free one.
    /// - Returns: The server's URL.
    func start(port: Int) throws -> Issuer {
        guard let program = Bundle.main.executableURL else { throw DemoFailure("this program cannot find itself") }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let server = Process()
        let output = Pipe()
        server.executableURL = program
        server.arguments = [
            "serve", "--listen", "127.0.0.1:\(port)", "--database", "sqlite:\(folder)/nightlatch.sqlite",
            "--master-key-file", folder + "/master.key", "--backend-key-file", backendKeyPath,
        ]
        server.standardOutput = output
        let log = folder + "/server.log"
        guard FileManager.default.createFile(atPath: log, contents: nil) else {
            throw DemoFailure("cannot write \(log)")
        }
        server.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        try server.run()
        process.withLock { $0 = server }
        let greeting = "listening on "
        guard let line = firstLine(of: output.fileHandleForReading), line.hasPrefix(greeting),
            let issuer = Issuer(rawValue: String(line.dropFirst(greeting.count)))
        else { throw DemoFailure("the server did not start: \(try String(contentsOfFile: log, encoding: .utf8))") }
        return issuer
    }

    /// The HTTP status of the server's word on whether it can serve.
    func readiness(of issuer: Issuer) async throws -> Int {
        guard let url = issuer.url(path: Route.readiness.path) else { throw DemoFailure("no URL for the health route") }
        let (_, response) = try await URLSession.shared.data(from: url)
        return (response as? HTTPURLResponse)?.statusCode ?? 0
    }

    /// Ends the server as an operator would, and waits until it has gone.
    ///
    /// - Returns: Its exit status; 0 if it ended cleanly.
    @discardableResult
    func stop() -> Int32 {
        process.withLock { process in
            guard let server = process else { return 0 }
            server.terminate()
            server.waitUntilExit()
            process = nil
            return server.terminationReason == .exit ? server.terminationStatus : -1
        }
    }

    private func firstLine(of handle: FileHandle) -> String? {
        var bytes = Data()
        while !bytes.contains(UInt8(ascii: "\n")) {
            let chunk = handle.availableData
            guard !chunk.isEmpty else { return nil }
            bytes.append(chunk)
        }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
