import Foundation
import NightlatchPostgresCluster
import NightlatchServerProcess
import NightlatchWire

/// Measures complete logins at one and at three server processes, each time over a new PostgreSQL server. Uses the load
/// generator of the SQLite benchmark. Processor time is that of the server processes, without PostgreSQL's.
struct PostgresLoginBenchmark: BenchmarkGroup {
    let names = [1, 3].flatMap(Self.names(processCount:))

    private static let deviceCount = 300
    /// The connections to all processes together.
    private static let connections = 16
    private static let warmUpTime = Duration.seconds(2)
    private static let loadTime = Duration.seconds(6)

    func measure() async throws -> [Measurement] {
        try await measure(processCount: 1) + measure(processCount: 3)
    }

    private static func names(processCount: Int) -> [String] {
        let suffix = processCount == 1 ? "" : "_\(processCount)_processes"
        return [
            "login_server_cpu_ms_postgres", "login_per_second_postgres", "login_p50_ms_postgres",
            "login_p99_ms_postgres", "server_rss_MiB_postgres",
        ].map { $0 + suffix }
    }

    private func measure(processCount: Int) async throws -> [Measurement] {
        // This cluster has all settings that make a commit survive a power failure.
        let cluster = try await PostgresCluster()
        defer { withExtendedLifetime(cluster) {} }
        let servers = try BenchmarkServers(
            (0..<processCount).map(String.init),
            databases: Array(repeating: cluster.address(), count: processCount))
        defer { servers.clearAway() }
        let issuers = try start(servers)
        let devices = try await BoundLoadDevices(count: Self.deviceCount, address: cluster.address()).make()
        let generators = try issuers.enumerated().map { number, issuer in
            guard let port = URL(string: issuer.rawValue)?.port else { throw CocoaError(.coderInvalidValue) }
            // Each process has its own devices, so that no device logs in at two processes at the same time.
            let own = devices.indices.filter { $0 % processCount == number }.map { devices[$0] }
            return LoadGenerator(issuer: issuer, port: port, devices: own)
        }
        _ = try await load(generators, for: Self.warmUpTime)
        return try await measure(generators, servers: servers.processes)
    }

    /// Starts the servers. All use the keys that the first one creates.
    private func start(_ servers: BenchmarkServers) throws -> [Issuer] {
        let first = try servers.processes[0].start(port: 0)
        return try [first]
            + zip(servers.processes, servers.folders).dropFirst().map { process, folder in
                for key in ["master.key", "backend.key"] {
                    try FileManager.default.copyItem(atPath: "\(servers.folders[0])/\(key)", toPath: "\(folder)/\(key)")
                }
                return try process.start(port: 0)
            }
    }

    /// Loads all servers at the same time.
    private func load(_ generators: [LoadGenerator], for time: Duration) async throws -> LoadGenerator.Result {
        let connections = Self.connections / generators.count
        let results = try await withThrowingTaskGroup(of: LoadGenerator.Result.self) { group in
            for generator in generators {
                group.addTask { try await generator.run(connections: connections, for: time) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        return LoadGenerator.Result(
            durations: results.flatMap(\.durations), passed: results.map(\.passed).max() ?? .zero)
    }

    private func measure(_ generators: [LoadGenerator], servers: [ServerProcess]) async throws -> [Measurement] {
        let processes = servers.compactMap(\.processID)
        let processorBefore = try processes.map(ProcessorTime.of).reduce(0, +)
        let result = try await load(generators, for: Self.loadTime)
        let processor = try processes.map(ProcessorTime.of).reduce(0, +) - processorBefore
        let count = Double(result.durations.count)
        let names = Self.names(processCount: servers.count)
        return [
            Measurement(names[0], processor / count, "ms", bar: 0.45, goal: 0.20, better: .lower),
            Measurement(names[1], count / (result.passed / .seconds(1)), "1/s", better: .higher),
            Measurement(names[2], result.milliseconds(percentile: 50), "ms", better: .lower),
            Measurement(names[3], result.milliseconds(percentile: 99), "ms", better: .lower),
            Measurement(
                names[4], try processes.map(ProcessorTime.peakMemory).max() ?? 0, "MiB", bar: 200, better: .lower),
        ]
    }
}
