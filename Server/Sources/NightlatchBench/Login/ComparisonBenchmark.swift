import Foundation
import NightlatchServerProcess

/// Measures logins at the servers of this build and of another build, in alternation. Each server has its own database
/// with the same devices.
struct ComparisonBenchmark: BenchmarkGroup {
    let names = LoginComparison.names(Self.prefix)
    /// The command `nightlatch` of the other build.
    let other: URL

    private static let prefix = "login"

    func measure() async throws -> [Measurement] {
        let servers = try BenchmarkServers(
            ["this", "other"], programs: [BenchmarkServers.ownProgram, other])
        defer { servers.clearAway() }
        let devices = try (0..<1000).map(LoadDevice.init)
        let loaded = try zip(servers.folders, servers.processes).map { folder, process in
            // Each server creates its schema itself, because the schemas of the two builds may differ.
            _ = try process.start(port: 0)
            process.stop()
            try SeededDatabase(deviceCount: devices.count, devices: devices)
                .fill(at: folder + "/nightlatch.sqlite")
            return try LoadedServer(process, devices: devices)
        }
        return try await LoginComparison(thisBuild: loaded[0], otherBuild: loaded[1]).measure(Self.prefix)
    }
}
