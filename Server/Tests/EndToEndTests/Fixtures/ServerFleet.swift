import Dispatch
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchPostgresCluster
import NightlatchRelyingParty
import NightlatchServerProcess
import NightlatchWire
import Subprocess
import Testing

/// Three servers over one database, with the same keys and the same issuer, and without rate limits.
final class ServerFleet: Sendable {
    /// The kind of database.
    enum Kind: String, CaseIterable, Sendable {
        case sqlite
        case postgres
    }

    /// The maximum number of connections that libcurl opens to one server with Foundation's default settings.
    private static let connectionsPerSession = 6

    let issuer: Issuer
    /// The servers' addresses; a restarted server keeps its address.
    let addresses: [Issuer]
    private let backendKey: BackendKey
    /// The PostgreSQL cluster; nil for a SQLite file.
    let cluster: PostgresCluster?
    /// The name of the database in the cluster.
    let database: String
    let servers: [NightlatchServerProcess.ServerProcess]
    let folder: TemporaryFolder
    /// The path of the SQLite database.
    let file: String

    private init(cluster: PostgresCluster?, disk: String?, options: [String]) async throws {
        folder = try TemporaryFolder()
        file = (disk ?? folder.path) + "/shared.sqlite"
        self.cluster = cluster
        database = try await cluster?.createDatabase() ?? ""
        issuer = try #require(Issuer(rawValue: "https://login.example"))
        let (root, name) = (folder.path, issuer.rawValue)
        let address = cluster?.address(database: database) ?? "sqlite:\(file)"
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

    /// Makes a script that runs the command with a limit on the size of each file, which the file `limit` sets if it
    /// exists.
    ///
    /// This imitates a full disk: a write fails with an error, because the script ignores the signal that would end the
    /// process.
    private static func makeProgram(in folder: String) async throws -> URL {
        let path = folder + "/nightlatch"
        let script = """
            #!/bin/bash
            if [ -f '\(folder)/limit' ]; then trap '' XFSZ; ulimit -f "$(cat '\(folder)/limit')"; fi
            exec '\(Nightlatch.path)' "$@"

            """
        // Another process writes the script. A child that this process starts at the same moment may inherit a
        // descriptor that is open for writing; the script could not be executed as long as that child has it open.
        let result = try await Subprocess.run(
            .name("bash"), arguments: ["-c", "printf %s \"$1\" > \"$0\" && chmod 700 \"$0\"", path, script],
            output: .discarded)
        guard result.terminationStatus.isSuccess else { throw CocoaError(.fileWriteUnknown) }
        return URL(fileURLWithPath: path)
    }

    /// The path of the backend's key.
    var backendKeyPath: String { servers[0].backendKeyPath }

    /// The backend's client of the first server.
    var backend: HTTPBackend { backend(at: addresses[0]) }

    func backend(at address: Issuer) -> HTTPBackend { HTTPBackend(issuer: address, key: backendKey) }

    /// A client of the fleet's public address whose requests arrive at one of the servers.
    func party(_ number: Int) throws -> HTTPRelyingParty {
        HTTPRelyingParty(issuer: issuer, transport: try BalancedTransport(to: addresses[number]))
    }

    /// Calls `body` with a fleet that is removed afterwards.
    ///
    /// - Parameters:
    ///   - kind: The kind of database.
    ///   - cluster: A PostgreSQL server that the test may damage; nil for the one that all tests share.
    ///   - disk: The folder of a SQLite database; nil for a temporary one.
    ///   - options: Further options of the servers' command lines.
    ///   - body: The test.
    static func with(
        _ kind: Kind,
        cluster: PostgresCluster? = nil,
        disk: String? = nil,
        options: [String] = [],
        _ body: (ServerFleet) async throws -> Void
    ) async throws {
        let postgres: PostgresCluster? =
            switch (kind, cluster) {
            case (.sqlite, _): nil
            case (.postgres, nil): try await .shared
            case (.postgres, let cluster): cluster
            }
        let fleet = try await ServerFleet(cluster: postgres, disk: disk, options: options)
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await body(fleet))
        } catch {
            outcome = .failure(error)
        }
        try await blocking { for server in fleet.servers { server.retire() } }
        try outcome.get()
    }

    /// Runs blocking work on a separate thread, because the threads that tests share are few.
    static func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "nightlatch.tests.process").async { continuation.resume(with: Result(catching: work)) }
        }
    }

    /// Returns clients of the servers in turn. There are enough sessions for `count` requests at once.
    func parties(forRequestsAtOnce count: Int) -> [HTTPRelyingParty] {
        (0..<(count + Self.connectionsPerSession - 1) / Self.connectionsPerSession).map { number in
            HTTPRelyingParty(issuer: addresses[number % addresses.count])
        }
    }
}
