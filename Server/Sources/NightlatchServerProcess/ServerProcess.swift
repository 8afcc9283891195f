public import Foundation
public import NightlatchWire
import Synchronization

/// The command `nightlatch serve` in a separate process. The command ends when the process that started it ends for any
/// reason.
public final class ServerProcess: Sendable {
    /// How long a server may take to stop before it is killed. This is longer than the server waits for requests in
    /// progress.
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

    /// A process, and the wait for its end.
    private struct Running: Sendable {
        let process: Process
        let ending: ProcessEnding
    }

    /// Creates a server that is not started yet.
    ///
    /// - Parameters:
    ///   - program: The command `nightlatch`.
    ///   - folder: The folder for the server's keys and log; created if it does not exist.
    ///   - database: The value of `--database`, without a password; nil for a SQLite file in the folder.
    ///   - arguments: Additional arguments of the command.
    public init(program: URL, folder: String, database: String? = nil, arguments: [String] = []) {
        self.program = program
        self.arguments = arguments
        self.folder = folder
        self.database = database ?? "sqlite:\(folder)/nightlatch.sqlite"
    }

    /// The file with the backend key, once the server has started.
    public var backendKeyPath: String { folder + "/backend.key" }

    /// The id of the server's process; nil if it does not run.
    public var processID: Int32? {
        state.withLock { state in
            if case .running(let server) = state { server.process.processIdentifier } else { nil }
        }
    }

    /// The server did not start. The description is its output on stderr.
    public struct NotStarted: Error, CustomStringConvertible {
        public let description: String
    }

    /// Starts the server and waits until it listens.
    ///
    /// - Parameter port: The port of the loopback address; 0 for a free one.
    /// - Returns: The server's URL.
    /// - Throws: ``NotStarted``, or an error of the system. The process may run nevertheless, so call ``stop()``.
    public func start(port: Int) throws -> Issuer {
        let output = Pipe.ofOneChild()
        let log = folder + "/server.log"
        try state.withLock { state in
            guard case .stopped = state else {
                throw NotStarted(description: "the server is already running, or has ended")
            }
            state = .running(try launch(port: port, output: output, log: log))
        }
        let greeting = "listening on "
        guard let line = firstLine(of: output.fileHandleForReading), line.hasPrefix(greeting),
            let issuer = Issuer(rawValue: String(line.dropFirst(greeting.count)))
        else { throw NotStarted(description: try String(contentsOfFile: log, encoding: .utf8)) }
        return issuer
    }

    /// Stops the server with SIGTERM, as an operator would, and waits until it has ended. Kills it after fifteen
    /// seconds.
    ///
    /// - Returns: The exit status; 0 if it ended cleanly or did not run, -1 if a signal ended it or if the status is
    ///   unknown.
    @discardableResult
    public func stop() -> Int32 { stop(leaving: .stopped) }

    /// Stops the server like ``stop()``, and prevents all later starts, even by a call of ``start(port:)`` that is in
    /// progress.
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
        // The server's input stays empty. It ends when this process ends, even if this process is killed.
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
