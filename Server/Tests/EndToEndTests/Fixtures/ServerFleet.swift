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
    let servers: [NightlatchServerProcess.ServerProcess]
    let folder: TemporaryFolder
    /// The file of a SQLite database.
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
    ///   - disk: The folder of a SQLite database; nil for one of temporary files.
    ///   - options: More for the servers' command lines.
    ///   - body: What to do with it.
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
}
