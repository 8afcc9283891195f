import Foundation
import NightlatchPostgres
import NightlatchPostgresCluster
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServerProcess
import NightlatchWire

/// Compares logins with policies and events for a webhook with logins that have neither, at two servers of this build
/// in alternation.
///
/// At the server with both, the app has a policy, each device states its revision, and a paused webhook subscribes to
/// logins. So each login reads the policy and adds an event. The delivery is not part of a login, and is not measured.
struct WebhookLoginBenchmark: BenchmarkGroup {
    let names = [Self.sqlite, Self.postgres, Self.idle]

    private static let sqlite = "login_cpu_ratio_with_policy_and_webhook"
    private static let postgres = "login_cpu_ratio_with_policy_and_webhook_postgres"
    private static let idle = "login_cpu_ms_with_policy_and_webhook"
    private static let connections = 16
    private static let rounds = 12
    private static let roundTime = Duration.seconds(2)
    private static let deviceCount = 1000

    func measure() async throws -> [Measurement] {
        let (ratio, milliseconds) = try await overSQLite()
        return [
            Measurement(Self.sqlite, ratio, "", bar: 1.05, better: .lower),
            Measurement(Self.idle, milliseconds, "ms", better: .lower),
            Measurement(Self.postgres, try await overPostgres(), "", bar: 1.05, better: .lower),
        ]
    }

    private func overSQLite() async throws -> (ratio: Double, milliseconds: Double) {
        let servers = try BenchmarkServers(["without", "with"])
        defer { servers.clearAway() }
        let devices = try (0..<Self.deviceCount).map(LoadDevice.init)
        var loaded: [LoadedServer] = []
        for (number, (folder, process)) in zip(servers.folders, servers.processes).enumerated() {
            let file = folder + "/nightlatch.sqlite"
            try SeededDatabase(deviceCount: devices.count, devices: devices).make(at: file)
            var revision: PolicyRevision?
            if number == 1 {
                let store = try SQLiteStore(path: file)
                revision = try await Self.prepare(store)
                try store.close()
            }
            loaded.append(try LoadedServer(process, devices: devices, policy: revision))
        }
        let loads = try await alternate(loaded) { 0 }
        let milliseconds = loads.map(\.load.millisecondsPerLogin)
        return (milliseconds[1] / milliseconds[0], milliseconds[1])
    }

    /// The ratio of the processor time of the server and of PostgreSQL together.
    private func overPostgres() async throws -> Double {
        let cluster = try await PostgresCluster()
        defer { withExtendedLifetime(cluster) {} }
        let databases = [try await cluster.createDatabase(), try await cluster.createDatabase()]
        let servers = try BenchmarkServers(
            ["without", "with"], databases: databases.map { cluster.address(database: $0) })
        defer { servers.clearAway() }
        var loaded: [LoadedServer] = []
        for (number, (database, process)) in zip(databases, servers.processes).enumerated() {
            let address = cluster.address(database: database)
            guard let target = PostgresAddress(address) else { throw CocoaError(.coderInvalidValue) }
            let store = try await PostgresStore.open(target)
            let revision = number == 1 ? try await Self.prepare(store) : nil
            store.close()
            let devices = try await BoundLoadDevices(count: Self.deviceCount, address: address).make()
            loaded.append(try LoadedServer(process, devices: devices, policy: revision))
        }
        try await cluster.query("CHECKPOINT")
        let process = try cluster.processID()
        let loads = try await alternate(loaded) { try ProcessorTime.ofFamily(of: process) }
        let milliseconds = loads.map { $0.load.millisecondsPerLogin + $0.ofDatabase / Double($0.load.loginCount) }
        return milliseconds[1] / milliseconds[0]
    }

    /// Loads the servers by turns. `databaseTime` returns the processor time of a database's processes so far.
    private func alternate(
        _ servers: [LoadedServer], _ databaseTime: () throws -> Double
    ) async throws -> [(load: ServerLoad, ofDatabase: Double)] {
        for server in servers { try await server.warmUp(connections: Self.connections, for: Self.roundTime) }
        var loads = servers.map { _ in (load: ServerLoad(), ofDatabase: 0.0) }
        for round in 0..<Self.rounds {
            for number in round.isMultiple(of: 2) ? [0, 1] : [1, 0] {
                let before = try databaseTime()
                loads[number].load += try await servers[number].load(
                    connections: Self.connections, for: Self.roundTime)
                loads[number].ofDatabase += try databaseTime() - before
            }
        }
        return loads
    }

    /// Sets a policy of the app, and adds a paused webhook that subscribes to logins. Returns the policy's revision.
    private static func prepare(_ store: some RelyingPartyStore) async throws -> PolicyRevision {
        var policy = Policy()
        policy.leastAppVersion = AppVersion(rawValue: "1.0")
        let outcome = try await store.setPolicy(policy, of: .app(.default), replacing: nil, by: .operator)
        guard case .stored(let stored?) = outcome, let name = WebhookName(rawValue: "Benchmark"),
            let url = WebhookURL(rawValue: "https://127.0.0.1/"),
            var webhook = WebhookRequest(name: name, url: url, kinds: [.loggedIn])
                .webhook(under: .random(), at: NumericDate(Date()))?.webhook
        else { throw CocoaError(.coderInvalidValue) }
        webhook.pause = .byOperator
        guard case .stored = try await store.putWebhook(webhook, replacing: nil, by: .operator) else {
            throw CocoaError(.coderInvalidValue)
        }
        return stored.revision
    }
}
