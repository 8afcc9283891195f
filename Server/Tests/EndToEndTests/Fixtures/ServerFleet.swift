import Dispatch
import Foundation
import GRDB
import NightlatchPlatform
import NightlatchPostgresCluster
import NightlatchServer
import NightlatchServerProcess
import NightlatchWire
import Subprocess
import Testing

/// Three servers over one database, with the same keys and under the same name, and without limits on the rate.
final class ServerFleet: Sendable {
    /// What the database is.
    enum Kind: String, CaseIterable, Sendable {
        case sqlite
        case postgres
    }

    /// How many connections libcurl opens to one server at most, as Foundation is set by default.
    private static let connectionsPerSession = 6

    let issuer: Issuer
    /// Where each of them listens, also after it was started again.
    let addresses: [Issuer]
    private let backendKey: BackendKey
    /// Nil for a SQLite file.
    let cluster: PostgresCluster?
    /// The name of the database in the cluster.
    let database: String
    private let servers: [NightlatchServerProcess.ServerProcess]
    private let folder: TemporaryFolder

    private init(cluster: PostgresCluster?, options: [String]) async throws {
        folder = try TemporaryFolder()
        self.cluster = cluster
        database = try await cluster?.createDatabase() ?? ""
        issuer = try #require(Issuer(rawValue: "https://login.example"))
        let (root, name) = (folder.path, issuer.rawValue)
        let address = cluster?.address(database: database) ?? "sqlite:\(root)/shared.sqlite"
        let program = try await Self.makeProgram(in: root)
        servers = (0..<3).map { number in
            NightlatchServerProcess.ServerProcess(
                program: program, folder: "\(root)/\(number)", database: address,
                arguments: [
                    "--issuer", name, "--address-rate", "0", "--account-rate", "0", "--audit-heads-file",
                    "\(root)/heads-\(number)",
                ] + options)
        }
        let servers = servers
        let first = try await Self.blocking { try servers[0].start(port: LoopbackPort.free()) }
        for number in 1...2 {
            try FileManager.default.createDirectory(atPath: "\(root)/\(number)", withIntermediateDirectories: true)
            for key in ["master.key", "backend.key"] {
                try FileManager.default.copyItem(atPath: "\(root)/0/\(key)", toPath: "\(root)/\(number)/\(key)")
            }
        }
        addresses = try await Self.blocking {
            try [first] + servers.dropFirst().map { try $0.start(port: LoopbackPort.free()) }
        }
        backendKey = try .load(from: servers[0].backendKeyPath)
    }

    /// A script that runs the command with files that cannot grow beyond what the file `limit` says, if there is one: a disk without
    /// room, of which the process is told by an error and not by the signal that would end it.
    private static func makeProgram(in folder: String) async throws -> URL {
        let path = folder + "/nightlatch"
        let script = """
            #!/bin/bash
            if [ -f '\(folder)/limit' ]; then trap '' XFSZ; ulimit -f "$(cat '\(folder)/limit')"; fi
            exec '\(Nightlatch.path)' "$@"

            """
        // Another process writes it: what this one has open for writing may be inherited by one that is being started just then, and
        // nobody can run it meanwhile.
        let result = try await Subprocess.run(
            .name("bash"), arguments: ["-c", "printf %s \"$1\" > \"$0\" && chmod 700 \"$0\"", path, script],
            output: .discarded)
        guard result.terminationStatus.isSuccess else { throw CocoaError(.fileWriteUnknown) }
        return URL(fileURLWithPath: path)
    }

    /// Where the backend's key lies.
    var backendKeyPath: String { servers[0].backendKeyPath }

    /// The backend's way to the first of them.
    var backend: HTTPBackend { backend(at: addresses[0]) }

    func backend(at address: Issuer) -> HTTPBackend { HTTPBackend(issuer: address, key: backendKey) }

    /// Calls `body` with a fleet that is gone afterwards.
    ///
    /// - Parameters:
    ///   - kind: What its database is.
    ///   - cluster: A PostgreSQL server that it may harm; nil for the one that all tests share.
    ///   - options: More for the servers' command lines.
    ///   - body: What to do with it.
    static func with(
        _ kind: Kind,
        cluster: PostgresCluster? = nil,
        options: [String] = [],
        _ body: (ServerFleet) async throws -> Void
    ) async throws {
        let postgres: PostgresCluster? =
            switch (kind, cluster) {
            case (.sqlite, _): nil
            case (.postgres, nil): try await .shared
            case (.postgres, let cluster): cluster
            }
        let fleet = try await ServerFleet(cluster: postgres, options: options)
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await body(fleet))
        } catch {
            outcome = .failure(error)
        }
        try await blocking { for server in fleet.servers { server.retire() } }
        try outcome.get()
    }

    /// Runs what waits for a process on a thread of its own: those that tests share are few.
    static func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "nightlatch.tests.process").async { continuation.resume(with: Result(catching: work)) }
        }
    }

    /// The servers by turns, through so many sessions that `count` requests are under way at once.
    func parties(forRequestsAtOnce count: Int) -> [HTTPRelyingParty] {
        (0..<(count + Self.connectionsPerSession - 1) / Self.connectionsPerSession).map { number in
            HTTPRelyingParty(issuer: addresses[number % addresses.count])
        }
    }

    /// Kills a server without any warning and waits until it has gone.
    func kill(_ number: Int) async throws {
        Foundation.kill(try #require(servers[number].processID), SIGKILL)
        let server = servers[number]
        try await Self.blocking { _ = server.stop() }
    }

    /// Starts a server again where it was.
    func restart(_ number: Int) async throws {
        let (server, port) = (servers[number], try #require(addresses[number].url(path: "/")?.port))
        try await Self.blocking { _ = try server.start(port: port) }
    }

    /// Kills all servers and starts them again.
    ///
    /// - Parameter growth: By how many KiB their files may grow then; nil for any.
    func restartAll(growth: Int? = nil) async throws {
        for number in servers.indices { try await kill(number) }
        let limit = folder.path + "/limit"
        if let growth {
            let sizes = try ["", "-wal"].map { suffix in
                try FileManager.default.attributesOfItem(atPath: folder.path + "/shared.sqlite" + suffix)[.size] as? Int
                    ?? 0
            }
            try String((sizes.max() ?? 0) / 1024 + growth).write(toFile: limit, atomically: true, encoding: .utf8)
        } else if FileManager.default.fileExists(atPath: limit) {
            try FileManager.default.removeItem(atPath: limit)
        }
        for number in servers.indices { try await restart(number) }
    }

    /// Backs the database up while the servers go on, as `docs/operations.md` says.
    func backUp() async throws {
        guard let cluster else {
            return try await sqlite().vacuum(into: folder.path + "/backup")
        }
        try await Self.run(
            "pg_dump", "--format=custom", "--schema=nightlatch", "--file=\(folder.path)/backup",
            cluster.address(database: database))
    }

    /// Stops the servers, puts the backup in the database's place, and starts them again.
    func restore() async throws {
        let servers = servers
        try await Self.blocking { for server in servers { server.stop() } }
        if let cluster {
            try await cluster.query("DROP SCHEMA nightlatch CASCADE", database: database)
            try await Self.run(
                "pg_restore", "--exit-on-error", "--single-transaction", "--no-owner",
                "--dbname=\(cluster.address(database: database))", folder.path + "/backup")
        } else {
            let path = folder.path + "/shared.sqlite"
            for name in [path, path + "-wal", path + "-shm"] where FileManager.default.fileExists(atPath: name) {
                try FileManager.default.removeItem(atPath: name)
            }
            try FileManager.default.moveItem(atPath: folder.path + "/backup", toPath: path)
        }
        for number in servers.indices { try await restart(number) }
    }

    private static func run(_ program: String, _ arguments: String...) async throws {
        let result = try await Subprocess.run(
            .name(program), arguments: Arguments(arguments), output: .discarded, error: .string(limit: 1 << 16))
        try #require(result.terminationStatus == .exited(0), "\(program): \(result.standardError)")
    }

    /// A connection to the SQLite file, which waits so long for whoever writes: the servers do so when they like.
    func sqlite(waiting seconds: Double = 5) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(seconds)
        return try DatabaseQueue(path: folder.path + "/shared.sqlite", configuration: configuration)
    }

    /// Holds the audit log against all heads that the servers have exported.
    func verifyAudit() async throws -> Outcome {
        let address = cluster?.address(database: database) ?? "sqlite:\(folder.path)/shared.sqlite"
        return try await Nightlatch.run(
            ["audit", "verify", "--database", address, "--master-key-file", folder.path + "/0/master.key"]
                + servers.indices.flatMap { ["--heads", "\(folder.path)/heads-\($0)"] })
    }

    /// Where families of refresh tokens lie.
    var tableOfFamilies: String { cluster == nil ? "device" : "refresh_family" }

    /// The values of a column, bytes in hexadecimal digits.
    func column(_ name: String, of table: String) async throws -> [String] {
        if let cluster {
            let value = name.hasSuffix("hash") ? "encode(\(name), 'hex')" : name
            let lines = try await cluster.query("SELECT \(value) FROM nightlatch.\(table)", database: database)
            return lines.split(separator: "\n").map(String.init)
        }
        let value = name.hasSuffix("hash") ? "lower(hex(\(name)))" : name
        return try await sqlite().read { database in
            try String.fetchAll(database, sql: "SELECT \(value) FROM \(table)")
        }
    }
}
