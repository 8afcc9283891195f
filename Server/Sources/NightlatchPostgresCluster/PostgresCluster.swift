import Dispatch
import Foundation
import NightlatchServerProcess
import Synchronization

/// A PostgreSQL server with its files in a temporary folder, for tests and benchmarks. It goes with its last owner, and with the process
/// that started it however that ends.
public final class PostgresCluster: Sendable {
    private let guardian: Mutex<Guardian>
    // What waits for a process must not wait on one of the few threads that all tasks share.
    private static let threads = DispatchQueue(label: "nightlatch.postgres-cluster", attributes: .concurrent)
    /// The folder of its socket, its log and all it holds.
    public let folder: String
    /// Where it listens on the loopback address, which takes passwords alone.
    public let port: Int

    /// Makes a cluster and starts its server, which takes a second or so.
    ///
    /// - Parameters:
    ///   - settings: Lines for its `postgresql.conf`. With `ssl = on` it makes a certificate for itself.
    ///   - parent: The folder that its own is made in, as one on another disk; nil for that of temporary files.
    /// - Throws: ``Failed``, or what the system said.
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
        // Below the ports that the system gives out by itself, and rarely taken; if one is, another will do.
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

    /// What went wrong is told on stderr.
    public struct Failed: Error {
        public let command: String
    }

    /// The address of a database by the socket, which only the one who runs this and root can reach. The role is `nightlatch`.
    public func address(database: String = "postgres") -> String {
        "postgres://nightlatch@/\(database)?host=\(folder)&port=\(port)"
    }

    /// The address of a database by the network, for a role with a password.
    public func address(database: String = "postgres", role: String, password: String?) -> String {
        "postgres://\(role)" + (password.map { ":" + $0 } ?? "") + "@127.0.0.1:\(port)/\(database)"
    }

    /// The certificate by which it is known, if it has one.
    public var certificatePath: String { folder + "/data/server.crt" }

    /// The server's first process, which starts all others, as long as it runs.
    public func processID() throws -> Int32 {
        let lines = try String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8).split(separator: "\n")
        guard let process = lines.first.flatMap({ Int32($0) }) else { throw CocoaError(.fileReadCorruptFile) }
        return process
    }

    /// Stops the server as an operator would: whoever is connected is cut off, what was committed is on disk.
    public func stop() async throws { try await tell("stop") }

    /// Kills the server, with all its processes, without any warning.
    public func kill() async throws {
        try await tell("signal KILL " + processes())
    }

    /// Calls `body` while the server, with all its processes, stands still: it takes connections and says nothing.
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

    /// The numbers of the server's processes, without the first one.
    private func processes() async throws -> String {
        try await query("SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()").replacing("\n", with: " ")
    }

    /// Starts the server again, and waits until it can be used.
    ///
    /// - Parameter fileSizeLimit: How large a file may grow, in blocks of 512 bytes, as on a disk that is full by then.
    public func start(fileSizeLimit: Int? = nil) async throws {
        try await tell("start " + (fileSizeLimit.map(String.init) ?? "unlimited"))
    }

    /// Runs SQL as the superuser and returns what it printed.
    @discardableResult
    public func query(_ sql: String, database: String = "postgres") async throws -> String {
        // By the shell that is there already: Foundation's `Process` reads beyond the end of what the system tells it of open files,
        // and so crashes once in some hundred starts.
        let answer = try await ask("query \(database) \(Data(sql.utf8).base64EncodedString())")
        guard let rows = Data(base64Encoded: String(answer.dropFirst("done ".count))) else {
            throw Failed(command: sql)
        }
        return String(decoding: rows, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func tell(_ command: String) async throws { _ = try await ask(command) }

    /// What the shell answers, which begins with `done`.
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
