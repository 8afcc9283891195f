import Foundation
import NightlatchPostgresCluster
import NightlatchServerProcess

/// Measures logins over PostgreSQL at the servers of this build and of another build, in alternation. Each server has
/// its own database of one PostgreSQL server.
struct PostgresComparisonBenchmark: BenchmarkGroup {
    let names = LoginComparison.names(Self.prefix)
    /// The command `nightlatch` of the other build.
    let other: URL

    private static let prefix = "login_postgres"
    private static let deviceCount = 1000

    func measure() async throws -> [Measurement] {
        // This cluster has all settings that make a commit survive a power failure.
        let cluster = try await PostgresCluster()
        defer { withExtendedLifetime(cluster) {} }
        let databases = [try await cluster.createDatabase(), try await cluster.createDatabase()]
        let servers = try BenchmarkServers(
            ["this", "other"], programs: [BenchmarkServers.ownProgram, other],
            databases: databases.map { cluster.address(database: $0) })
        defer { servers.clearAway() }
        var loaded: [LoadedServer] = []
        for (database, process) in zip(databases, servers.processes) {
            // Each server creates its schema itself, because the schemas of the two builds may differ.
            _ = try process.start(port: 0)
            process.stop()
            let devices = try (0..<Self.deviceCount).map(LoadDevice.init)
            // In parts, because a command line is not that long.
            for first in stride(from: 0, to: devices.count, by: 100) {
                let part = Array(devices[first..<min(first + 100, devices.count)])
                try await cluster.query(PostgresSeeds.bound(part), database: database)
            }
            loaded.append(try LoadedServer(process, devices: devices))
        }
        try await cluster.query("CHECKPOINT")
        let process = try cluster.processID()
        let comparison = LoginComparison(
            thisBuild: loaded[0], otherBuild: loaded[1], databaseTime: { try ProcessorTime.ofFamily(of: process) })
        return try await comparison.measure(Self.prefix)
    }
}
