import Foundation
import NightlatchServerProcess

/// Measures logins at the servers of this build and of another build, in alternation. Each server has its own database
/// with the same devices.
struct ComparisonBenchmark: BenchmarkGroup {
    let names = [
        "login_cpu_ratio_to_other", "login_per_second_ratio_to_other", "login_p50_ratio_to_other",
        "login_p99_ratio_to_other",
    ]
    /// The command `nightlatch` of the other build.
    let other: URL

    private let connections = 16
    private let rounds = 12
    private let roundTime = Duration.seconds(2)

    func measure() async throws -> [Measurement] {
        let servers = try BenchmarkServers(
            ["this", "other"], programs: [BenchmarkServers.ownProgram, other])
        defer { servers.clearAway() }
        let devices = try (0..<1000).map(LoadDevice.init)
        var loaded: [LoadedServer] = []
        for (folder, process) in zip(servers.folders, servers.processes) {
            // Each server creates its schema itself, because the schemas of the two builds may differ.
            _ = try process.start(port: 0)
            process.stop()
            try SeededDatabase(deviceCount: devices.count, devices: devices)
                .fill(at: folder + "/nightlatch.sqlite")
            loaded.append(try LoadedServer(process, devices: devices))
        }
        for server in loaded { try await server.warmUp(connections: connections, for: roundTime) }
        var loads = [ServerLoad(), ServerLoad()]
        for round in 0..<rounds {
            // Alternates the order, so that neither server is always measured first.
            for server in round.isMultiple(of: 2) ? [0, 1] : [1, 0] {
                loads[server] += try await loaded[server].load(connections: connections, for: roundTime)
            }
        }
        print(
            zip(servers.folders, loads).map { folder, load in
                let name = URL(filePath: folder).lastPathComponent
                return "\(name): \(load.millisecondsPerLogin) ms of CPU, \(load.loginsPerSecond) a second, "
                    + "p50 \(load.milliseconds(percentile: 50)) ms, p99 \(load.milliseconds(percentile: 99)) ms"
            }.joined(separator: "\n"))
        func ratio(_ figure: (ServerLoad) -> Double) -> Double { figure(loads[0]) / figure(loads[1]) }
        return [
            Measurement(
                "login_cpu_ratio_to_other", ratio(\.millisecondsPerLogin), "", bar: 1.03, better: .lower),
            Measurement("login_per_second_ratio_to_other", ratio(\.loginsPerSecond), "", better: .higher),
            Measurement("login_p50_ratio_to_other", ratio { $0.milliseconds(percentile: 50) }, "", better: .lower),
            Measurement("login_p99_ratio_to_other", ratio { $0.milliseconds(percentile: 99) }, "", better: .lower),
        ]
    }
}
