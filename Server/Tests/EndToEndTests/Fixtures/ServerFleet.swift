import Foundation
import GRDB
import NightlatchPlatform
import NightlatchPostgresCluster
import NightlatchServer
import NightlatchServerProcess
import NightlatchWire
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

    private init(cluster: PostgresCluster?) async throws {
        folder = try TemporaryFolder()
        self.cluster = cluster
        database = try await cluster?.createDatabase() ?? ""
        issuer = try #require(Issuer(rawValue: "https://login.example"))
        let (root, name) = (folder.path, issuer.rawValue)
        let address = cluster?.address(database: database) ?? "sqlite:\(root)/shared.sqlite"
        servers = (0..<3).map { number in
            NightlatchServerProcess.ServerProcess(
                program: URL(fileURLWithPath: Nightlatch.path), folder: "\(root)/\(number)", database: address,
                arguments: ["--issuer", name, "--address-rate", "0", "--account-rate", "0"])
        }
        let first = try servers[0].start(port: 0)
        for number in 1...2 {
            try FileManager.default.createDirectory(atPath: "\(root)/\(number)", withIntermediateDirectories: true)
            for key in ["master.key", "backend.key"] {
                try FileManager.default.copyItem(atPath: "\(root)/0/\(key)", toPath: "\(root)/\(number)/\(key)")
            }
        }
        addresses = try [first] + servers.dropFirst().map { try $0.start(port: 0) }
        backendKey = try .load(from: servers[0].backendKeyPath)
    }

    /// The backend's way to the first of them.
    var backend: HTTPBackend { backend(at: addresses[0]) }

    func backend(at address: Issuer) -> HTTPBackend { HTTPBackend(issuer: address, key: backendKey) }

    /// Calls `body` with a fleet that is gone afterwards.
    ///
    /// - Parameters:
    ///   - kind: What its database is.
    ///   - cluster: A PostgreSQL server that it may harm; nil for the one that all tests share.
    ///   - body: What to do with it.
    static func with(
        _ kind: Kind,
        cluster: PostgresCluster? = nil,
        _ body: (ServerFleet) async throws -> Void
    ) async throws {
        let postgres: PostgresCluster? =
            switch (kind, cluster) {
            case (.sqlite, _): nil
            case (.postgres, nil): try await .shared
            case (.postgres, let cluster): cluster
            }
        let fleet = try await ServerFleet(cluster: postgres)
        defer { for server in fleet.servers { server.retire() } }
        try await body(fleet)
    }

    /// The servers by turns, through so many sessions that `count` requests are under way at once.
    func parties(forRequestsAtOnce count: Int) -> [HTTPRelyingParty] {
        (0..<(count + Self.connectionsPerSession - 1) / Self.connectionsPerSession).map { number in
            HTTPRelyingParty(issuer: addresses[number % addresses.count])
        }
    }

    /// Kills a server without any warning and waits until it has gone.
    func kill(_ number: Int) throws {
        Foundation.kill(try #require(servers[number].processID), SIGKILL)
        servers[number].stop()
    }

    /// Starts a server again where it was.
    func restart(_ number: Int) throws {
        _ = try servers[number].start(port: #require(addresses[number].url(path: "/")?.port))
    }

    /// The values of a column, bytes in hexadecimal digits.
    func column(_ name: String, of table: String) async throws -> [String] {
        if let cluster {
            let value = name.hasSuffix("hash") ? "encode(\(name), 'hex')" : name
            let lines = try await cluster.query("SELECT \(value) FROM nightlatch.\(table)", database: database)
            return lines.split(separator: "\n").map(String.init)
        }
        let value = name.hasSuffix("hash") ? "lower(hex(\(name)))" : name
        return try await DatabaseQueue(path: folder.path + "/shared.sqlite").read { database in
            try String.fetchAll(database, sql: "SELECT \(value) FROM \(table)")
        }
    }
}
