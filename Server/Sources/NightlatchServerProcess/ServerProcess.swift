public import Foundation
public import NightlatchWire
import Synchronization

/// The command `nightlatch serve` in a process of its own, over a SQLite database.
public final class ServerProcess: Sendable {
    private let program: URL
    private let folder: String
    private let process = Mutex<Process?>(nil)

    /// - Parameters:
    ///   - program: The command `nightlatch`.
    ///   - folder: Where the server keeps its database, its keys and its log; made if it is not there.
    public init(program: URL, folder: String) {
        self.program = program
        self.folder = folder
    }

    /// The file of the key for the app's backend, once the server has started.
    public var backendKeyPath: String { folder + "/backend.key" }

    /// The id of the server's process, if it runs.
    public var processID: Int32? { process.withLock { $0?.processIdentifier } }

    /// The server does not run; the description is what it said on stderr.
    public struct NotStarted: Error, CustomStringConvertible {
        public let description: String
    }

    /// Starts the server and waits until it listens.
    ///
    /// - Parameter port: The port of the loopback address; 0 for a free one.
    /// - Returns: The server's URL.
    public func start(port: Int) throws -> Issuer {
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
            throw NotStarted(description: "cannot write \(log)")
        }
        server.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        try server.run()
        process.withLock { $0 = server }
        let greeting = "listening on "
        guard let line = firstLine(of: output.fileHandleForReading), line.hasPrefix(greeting),
            let issuer = Issuer(rawValue: String(line.dropFirst(greeting.count)))
        else { throw NotStarted(description: try String(contentsOfFile: log, encoding: .utf8)) }
        return issuer
    }

    /// Ends the server as an operator would, and waits until it has gone.
    ///
    /// - Returns: Its exit status; 0 if it ended cleanly.
    @discardableResult
    public func stop() -> Int32 {
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
