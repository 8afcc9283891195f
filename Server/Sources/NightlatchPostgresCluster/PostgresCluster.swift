import Dispatch
import Foundation
import NightlatchServerProcess
import Synchronization

/// A PostgreSQL server with its files in a temporary folder, for tests and benchmarks.
///
/// When the last reference to the cluster is released, its server stops and the server's files are removed. The same
/// happens when the process that started the server ends for any reason.
public final class PostgresCluster: Sendable {
    private let guardian: Mutex<Guardian>
    // Waiting for a process must not block a thread of the cooperative pool.
    private static let threads = DispatchQueue(label: "nightlatch.postgres-cluster", attributes: .concurrent)
    /// The folder with the server's socket, log and data.
    public let folder: String
    /// The port of the loopback address. Connections to it need a password.
    public let port: Int

    /// Creates a cluster and starts its server, which takes about a second.
    ///
    /// - Parameters:
    ///   - settings: Lines for the server's `postgresql.conf`. With `ssl = on`, the server gets a self-signed
    ///     certificate.
    ///   - parent: The folder in which the server's folder is created, such as one on another disk; nil for the folder
    ///     of temporary files.
    /// - Throws: ``Failed``, or an error of the system.
    public init(settings: [String] = [], in parent: String? = nil) async throws {
        let started = try await Self.blocking { try Self.start(settings, in: parent) }
        guardian = Mutex(started.guardian)
        folder = started.folder
        port = started.port
    }

    deinit { guardian.withLock { $0.end() } }

    private static func start(
        _ settings: [String],
        in parent: String?
    ) throws -> (guardian: Guardian, folder: String, port: Int) {
        // The system assigns higher ports, so these are rarely in use. If a server does not start, the next port is
        // tried.
        var ports = (20_000..<32_000).shuffled().prefix(3)
        // Ends: after three ports.
        while true {
            let port = ports.removeFirst()
            let guardian = try Guardian(port: port, settings: settings, parent: parent)
            do {
                return (guardian, try guardian.answer(), port)
            } catch {
                if ports.isEmpty { throw error }
            }
        }
    }

    static func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            threads.async { continuation.resume(with: Result(catching: work)) }
        }
    }

    /// A command of the shell failed. The cause is on stderr.
    public struct Failed: Error {
        public let command: String
    }

    /// Returns the address of a database over the socket, which only the current user and root can reach. The role is
    /// `nightlatch`.
    public func address(database: String = "postgres") -> String {
        "postgres://nightlatch@/\(database)?host=\(folder)&port=\(port)"
    }

    /// Returns the address of a database over the network, for a role with a password.
    public func address(database: String = "postgres", role: String, password: String?) -> String {
        "postgres://\(role)" + (password.map { ":" + $0 } ?? "") + "@127.0.0.1:\(port)/\(database)"
    }

    /// The path of the server's certificate, which exists only with `ssl = on`.
    public var certificatePath: String { folder + "/data/server.crt" }

    /// Returns the id of the server's first process, which starts all others.
    ///
    /// - Throws: An error of the system if the server does not run.
    public func processID() throws -> Int32 {
        let lines = try String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8).split(separator: "\n")
        guard let process = lines.first.flatMap({ Int32($0) }) else { throw CocoaError(.fileReadCorruptFile) }
        return process
    }

    /// Stops the server as an operator would: clients are disconnected, and committed data is on disk.
    public func stop() async throws { try await tell("stop") }

    /// Kills all processes of the server without warning.
    public func kill() async throws {
        try await tell("signal KILL " + processes())
    }

    /// Calls `body` while all processes of the server are stopped: it accepts connections, but answers nothing.
    public func whileFrozen(_ body: () async throws -> Void) async throws {
        let frozen = try await processes()
        try await tell("signal STOP " + frozen)
        do {
            try await body()
        } catch {
            try await tell("signal CONT " + frozen)
            throw error
        }
        try await tell("signal CONT " + frozen)
    }

    /// Returns the ids of the server's processes, except the first one.
    private func processes() async throws -> String {
        try await query("SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()").replacing("\n", with: " ")
    }

    /// Starts the server again, and waits until it can be used.
    ///
    /// - Parameter fileSizeLimit: The maximum size of a file in blocks of 512 bytes, to simulate a full disk.
    public func start(fileSizeLimit: Int? = nil) async throws {
        try await tell("start " + (fileSizeLimit.map(String.init) ?? "unlimited"))
    }

    /// Runs SQL as the superuser and returns its output.
    @discardableResult
    public func query(_ sql: String, database: String = "postgres") async throws -> String {
        // Uses the running shell instead of a new process: Foundation's `Process` reads beyond the end of the system's
        // list of open files, and so crashes once in a few hundred starts.
        let answer = try await ask("query \(database) \(Data(sql.utf8).base64EncodedString())")
        guard let rows = Data(base64Encoded: String(answer.dropFirst("done ".count))) else {
            throw Failed(command: sql)
        }
        return String(decoding: rows, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func tell(_ command: String) async throws { _ = try await ask(command) }

    /// Sends a command to the shell and returns its answer, which begins with `done`.
    private func ask(_ command: String) async throws -> String {
        try await Self.blocking {
            try self.guardian.withLock { guardian in
                try guardian.tell(command)
                let answer = try guardian.answer()
                guard answer.hasPrefix("done") else { throw Failed(command: command) }
                return answer
            }
        }
    }
}
