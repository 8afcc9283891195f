import Foundation
import NightlatchPostgresCluster
import NightlatchServerProcess
import NightlatchWire

/// Measures the cost of a login over PostgreSQL with few and with many devices, including PostgreSQL's own processor
/// time. There are two servers, each with its own database.
struct PostgresGrowthBenchmark: BenchmarkGroup {
    let names = ["login_cpu_ratio_1M_to_1k_devices_postgres", "login_cpu_ms_of_postgres"]

    private let connections = 16
    private let rounds = 6
    private let roundTime = Duration.seconds(2)

    func measure() async throws -> [Measurement] {
        // This cluster has all settings that make a commit survive a power failure.
        let cluster = try await PostgresCluster()
        defer { withExtendedLifetime(cluster) {} }
        let databases = [try await cluster.createDatabase(), try await cluster.createDatabase()]
        let servers = try BenchmarkServers(["1k", "1M"], databases: databases.map { cluster.address(database: $0) })
        defer { servers.clearAway() }
        let small = try await loadedServer(
            servers.processes[0], over: databases[0], of: cluster, deviceCount: 1000, loadDeviceCount: 1000)
        let large = try await loadedServer(
            servers.processes[1], over: databases[1], of: cluster, deviceCount: 1_000_000, loadDeviceCount: 10_000)
        try await cluster.query("CHECKPOINT")
        for server in [small, large] { try await server.warmUp(connections: connections, for: roundTime) }
        var (ofSmall, ofLarge) = (Cost(), Cost())
        // Alternates, so that other load on the machine affects both measurements.
        for _ in 0..<rounds {
            try await ofSmall.add(load(small, over: cluster))
            try await ofLarge.add(load(large, over: cluster))
        }
        return [
            Measurement(names[0], ofLarge.perLogin / ofSmall.perLogin, "", bar: 1.2, better: .lower),
            Measurement(names[1], ofSmall.ofPostgresPerLogin, "ms", better: .lower),
        ]
    }

    /// Processor time in milliseconds, and the logins that used it.
    private struct Cost {
        private var logins = ServerLoad()
        private var ofPostgres = 0.0

        var ofPostgresPerLogin: Double { ofPostgres / Double(logins.loginCount) }
        var perLogin: Double { logins.millisecondsPerLogin + ofPostgresPerLogin }

        mutating func add(_ round: (logins: ServerLoad, ofPostgres: Double)) {
            logins += round.logins
            ofPostgres += round.ofPostgres
        }
    }

    private func load(
        _ server: LoadedServer,
        over cluster: PostgresCluster
    ) async throws -> (logins: ServerLoad, ofPostgres: Double) {
        let process = try cluster.processID()
        let before = try ProcessorTime.ofFamily(of: process)
        let logins = try await server.load(connections: connections, for: roundTime)
        return (logins, try ProcessorTime.ofFamily(of: process) - before)
    }

    private func loadedServer(
        _ server: ServerProcess,
        over database: String,
        of cluster: PostgresCluster,
        deviceCount: Int,
        loadDeviceCount: Int
    ) async throws -> LoadedServer {
        let address = cluster.address(database: database)
        let devices = try await BoundLoadDevices(count: loadDeviceCount, address: address).make()
        try await cluster.query(PostgresSeeds.devices(deviceCount - loadDeviceCount), database: database)
        // Sorts the tables by their primary keys, which spreads the load devices among the others.
        for table in ["device", "refresh_family"] {
            try await cluster.query("CLUSTER nightlatch.\(table) USING \(table)_pkey", database: database)
        }
        try await cluster.query("VACUUM (ANALYZE)", database: database)
        return try LoadedServer(server, devices: devices)
    }
}
