import Foundation
import Synchronization

/// A PostgreSQL server with its files in a temporary folder, for tests and benchmarks: nothing of it is left when the process that
/// started it has ended, however that ends.
public final class PostgresCluster: Sendable {
    private let guardian: Mutex<Guardian>
    /// The folder of its socket, its log and all it holds.
    public let folder: String
    /// Where it listens on the loopback address, which takes passwords alone.
    public let port: Int

    /// Makes a cluster and starts its server, which takes a second or so.
    ///
    /// - Parameter settings: Lines for its `postgresql.conf`.
    /// - Throws: ``Failed``, or what the system said.
    public init(settings: [String] = []) throws {
        // Below the ports that the system gives out by itself, and rarely taken; if one is, another will do.
        var ports = (20_000..<32_000).shuffled().prefix(3)
        while true {
            let port = ports.removeFirst()
            let guardian = try Guardian(port: port, settings: settings)
            do {
                folder = try guardian.answer()
            } catch {
                if ports.isEmpty { throw error }
                continue
            }
            self.port = port
            self.guardian = Mutex(guardian)
            return
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

    /// Stops the server as an operator would: whoever is connected is cut off, what was committed is on disk.
    public func stop() throws { try tell("stop") }

    /// Kills the server without any warning.
    public func kill() throws { try tell("kill") }

    /// Starts the server again.
    ///
    /// - Parameter fileSizeLimit: How large a file may grow, in KiB, as on a disk that is full by then.
    public func start(fileSizeLimit: Int? = nil) throws {
        try tell("start " + (fileSizeLimit.map(String.init) ?? "unlimited"))
    }

    /// Runs SQL as the superuser and returns what it printed.
    @discardableResult
    public func query(_ sql: String, database: String = "postgres") throws -> String {
        let psql = Process()
        let output = Pipe()
        psql.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        psql.arguments = [
            "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1",
            "--command=" + sql,
            "postgres://postgres@/\(database)?host=\(folder)&port=\(port)",
        ]
        psql.standardInput = FileHandle.nullDevice
        psql.standardOutput = output
        try psql.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        psql.waitUntilExit()
        guard psql.terminationStatus == 0 else { throw Failed(command: sql) }
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func tell(_ command: String) throws {
        try guardian.withLock { guardian in
            try guardian.tell(command)
            guard try guardian.answer() == "done" else { throw Failed(command: command) }
        }
    }
}
