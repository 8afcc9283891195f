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
    /// - Parameter settings: Lines for its `postgresql.conf`. With `ssl = on` it makes a certificate for itself.
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

    /// The certificate by which it is known, if it has one.
    public var certificatePath: String { folder + "/data/server.crt" }

    /// Stops the server as an operator would: whoever is connected is cut off, what was committed is on disk.
    public func stop() throws { try tell("stop") }

    /// Kills the server, with all its processes, without any warning.
    public func kill() throws {
        try tell("signal KILL " + processes())
    }

    /// Calls `body` while the server, with all its processes, stands still: it takes connections and says nothing.
    public func whileFrozen(_ body: () async throws -> Void) async throws {
        let frozen = try processes()
        try tell("signal STOP " + frozen)
        do {
            try await body()
        } catch {
            try tell("signal CONT " + frozen)
            throw error
        }
        try tell("signal CONT " + frozen)
    }

    /// The numbers of the server's processes, without the first one.
    private func processes() throws -> String {
        try query("SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()").replacing("\n", with: " ")
    }

    /// Starts the server again, and waits until it can be used.
    ///
    /// - Parameter fileSizeLimit: How large a file may grow, in blocks of 512 bytes, as on a disk that is full by then.
    public func start(fileSizeLimit: Int? = nil) throws {
        try tell("start " + (fileSizeLimit.map(String.init) ?? "unlimited"))
    }

    /// Runs SQL as the superuser and returns what it printed.
    @discardableResult
    public func query(_ sql: String, database: String = "postgres") throws -> String {
        let (psql, _, output) = try shell(["--command=" + sql], database: database)
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        psql.waitUntilExit()
        guard psql.terminationStatus == 0 else { throw Failed(command: sql) }
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Calls `body` while a transaction of somebody else's has locked a table for itself alone.
    @discardableResult
    public func whileLocking<Value>(_ table: String, _ body: () async throws -> Value) async throws -> Value {
        let (psql, input, output) = try shell([], database: "postgres")
        let lock = "BEGIN; LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE;\n\\echo locked\n"
        try input.fileHandleForWriting.write(contentsOf: Data(lock.utf8))
        guard output.fileHandleForReading.availableData == Data("locked\n".utf8) else { throw Failed(command: lock) }
        let value: Value
        do {
            value = try await body()
        } catch {
            // Its transaction ends with it.
            try input.fileHandleForWriting.close()
            throw error
        }
        try input.fileHandleForWriting.close()
        psql.waitUntilExit()
        return value
    }

    private func shell(_ options: [String], database: String) throws -> (process: Process, input: Pipe, output: Pipe) {
        let (psql, input, output) = (Process(), Pipe(), Pipe())
        psql.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        psql.arguments =
            ["psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1"] + options
            + ["postgres://postgres@/\(database)?host=\(folder)&port=\(port)"]
        psql.standardInput = input
        psql.standardOutput = output
        try psql.run()
        return (psql, input, output)
    }

    private func tell(_ command: String) throws {
        try guardian.withLock { guardian in
            try guardian.tell(command)
            guard try guardian.answer() == "done" else { throw Failed(command: command) }
        }
    }
}
