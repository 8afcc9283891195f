public import Foundation
public import NightlatchWire
import Synchronization

/// The command `nightlatch serve` in a process of its own. It ends with the process that started it,
/// however that ends.
public final class ServerProcess: Sendable {
    /// How long a server may take to stop before it is killed: longer than it gives the requests that it still has.
    private static let stopLimit = DispatchTimeInterval.seconds(15)

    private let program: URL
    private let folder: String
    private let database: String
    private let arguments: [String]
    private let state = Mutex(State.stopped)

    private enum State {
        case stopped
        case running(Running)
        case retired
    }

    /// A process, and what tells that it has ended.
    private struct Running: Sendable {
        let process: Process
        let ending: ProcessEnding
    }

    /// - Parameters:
    ///   - program: The command `nightlatch`.
    ///   - folder: Where the server keeps its keys and its log; made if it is not there.
    ///   - database: As the command takes it, without a password; nil for a SQLite file in the folder.
    ///   - arguments: What the command is told besides.
    public init(program: URL, folder: String, database: String? = nil, arguments: [String] = []) {
        self.program = program
        self.arguments = arguments
        self.folder = folder
        self.database = database ?? "sqlite:\(folder)/nightlatch.sqlite"
    }

    /// The file of the key for the app's backend, once the server has started.
    public var backendKeyPath: String { folder + "/backend.key" }

    /// The id of the server's process, if it runs.
    public var processID: Int32? {
        state.withLock { state in
            if case .running(let server) = state { server.process.processIdentifier } else { nil }
        }
    }

    /// The server does not run; the description is what it said on stderr.
    public struct NotStarted: Error, CustomStringConvertible {
        public let description: String
    }

    /// Starts the server and waits until it listens.
    ///
    /// - Parameter port: The port of the loopback address; 0 for a free one.
    /// - Returns: The server's URL.
    /// - Throws: ``NotStarted``, or what the system said. A server that was started all the same is for ``stop()`` to end.
    public func start(port: Int) throws -> Issuer {
        let output = Pipe.ofOneChild()
        let log = folder + "/server.log"
        try state.withLock { state in
            guard case .stopped = state else {
                throw NotStarted(description: "the server runs already, or never again")
            }
            state = .running(try launch(port: port, output: output, log: log))
        }
        let greeting = "listening on "
        guard let line = firstLine(of: output.fileHandleForReading), line.hasPrefix(greeting),
            let issuer = Issuer(rawValue: String(line.dropFirst(greeting.count)))
        else { throw NotStarted(description: try String(contentsOfFile: log, encoding: .utf8)) }
        return issuer
    }

    /// Ends the server as an operator would, and waits until it has gone. One that does not end within fifteen seconds is killed.
    ///
    /// - Returns: Its exit status; 0 if it ended cleanly or did not run, -1 if a signal ended it or nobody knows how.
    @discardableResult
    public func stop() -> Int32 { stop(leaving: .stopped) }

    /// As ``stop()``; the server cannot be started again, also by a call that is under way.
    @discardableResult
    public func retire() -> Int32 { stop(leaving: .retired) }

    private func stop(leaving next: State) -> Int32 {
        state.withLock { state in
            let server: Running? = if case .running(let server) = state { server } else { nil }
            if case .retired = state {} else { state = next }
            guard let server else { return 0 }
            if let status = server.ending.status { return status }
            server.process.terminate()
            if let status = server.ending.status(within: Self.stopLimit) { return status }
            kill(server.process.processIdentifier, SIGKILL)
            return server.ending.status(within: .never) ?? -1
        }
    }

    private func launch(port: Int, output: Pipe, log: String) throws -> Running {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard FileManager.default.createFile(atPath: log, contents: nil) else {
            throw NotStarted(description: "cannot write \(log)")
        }
        let server = Process()
        server.executableURL = program
        server.arguments =
            [
                "serve", "--listen", "127.0.0.1:\(port)", "--database", database,
                "--master-key-file", folder + "/master.key", "--backend-key-file", backendKeyPath, "--until-stdin-ends",
            ] + arguments
        // Nobody writes into it: it ends with this process, even with one that is killed.
        server.standardInput = Pipe.ofOneChild()
        server.standardOutput = output
        server.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        return Running(process: server, ending: try ProcessEnding(starting: server))
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
