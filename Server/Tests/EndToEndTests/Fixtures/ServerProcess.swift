import Foundation
import NightlatchWire
import Subprocess

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// A server process that runs as long as a closure.
struct ServerProcess {
    let issuer: Issuer
    let folder: String
    let processID: pid_t

    /// Starts a server over the files in `folder`, runs `body`, and ends the server.
    ///
    /// - Parameters:
    ///   - folder: The folder of the server's files.
    ///   - port: The port to listen on; 0 for a free one.
    ///   - options: Further options of its command line.
    ///   - wrapper: A program with arguments that runs the server.
    ///   - stopping: Whether to ask the server to stop; if false, it must stop by itself.
    ///   - body: The work while the server runs.
    /// - Returns: The result of `body` and the server's exit status.
    @discardableResult
    static func run<Value: Sendable>(
        in folder: TemporaryFolder,
        port: Int = 0,
        options: [String] = [],
        wrapper: [String] = [],
        stopping: Bool = true,
        _ body: (ServerProcess) async throws -> Value
    ) async throws -> (value: Value, status: Int32) {
        let path = folder.path + "/server"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let line =
            wrapper + [
                Nightlatch.path, "serve", "--listen", "127.0.0.1:\(port)", "--database",
                "sqlite:\(path)/nightlatch.sqlite", "--master-key-file", path + "/master.key", "--backend-key-file",
                path + "/backend.key",
            ] + options
        let result = try await Subprocess.run(
            wrapper.isEmpty ? .path(FilePath(line[0])) : .name(line[0]), arguments: Arguments(Array(line.dropFirst())),
            input: .none, output: .sequence, error: .discarded
        ) { execution in
            var greeting = ""
            for try await line in execution.standardOutput.strings() {
                greeting = line
                break
            }
            let url = greeting.trimmingCharacters(in: .whitespacesAndNewlines).replacing("listening on ", with: "")
            guard let issuer = Issuer(rawValue: url) else { throw NoGreeting(line: greeting) }
            let value = try await body(
                ServerProcess(
                    issuer: issuer, folder: path, processID: execution.processIdentifier.value))
            // Has no effect if `body` has killed the server.
            if stopping { try? execution.send(signal: .terminate) }
            return value
        }
        return (result.closureResult, result.terminationStatus.number)
    }

    struct NoGreeting: Error {
        let line: String
    }

    var url: String { issuer.rawValue }

    /// Kills the server, as a power cut would.
    func kill() { send(SIGKILL) }

    func send(_ signal: Int32) {
        _ = Foundation.kill(processID, signal)
    }

    var port: Int { issuer.url(path: "/")?.port ?? 0 }

    /// Returns a new enrolment code for `user`, made by the command.
    func code(for user: String = "alice") async throws -> String {
        try await Nightlatch.run(
            "admin", "enrolment-code", "--user", user, "--server", issuer.rawValue, "--backend-key-file",
            folder + "/backend.key"
        ).output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
