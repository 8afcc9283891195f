import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchPostgresCluster
import NightlatchServer
import NightlatchServerProcess
import NightlatchWire

/// Complete logins by the real client against one and against three server processes, over loopback, with a PostgreSQL server of
/// its own behind them. Processor time is that of the server processes, without PostgreSQL's.
struct PostgresLoginBenchmark: BenchmarkGroup {
    let names = [1, 3].flatMap(Self.names(processCount:))

    private static let clientCount = 8
    private static let loginsPerClient = 150

    func measure() async throws -> [Measurement] {
        try await measure(processCount: 1) + measure(processCount: 3)
    }

    private static func names(processCount: Int) -> [String] {
        let suffix = processCount == 1 ? "" : "_\(processCount)_processes"
        return ["login_server_cpu_ms_postgres", "login_per_second_postgres", "login_p99_ms_postgres"].map {
            $0 + suffix
        }
    }

    private func measure(processCount: Int) async throws -> [Measurement] {
        // With all that makes a commit outlive the machine's power.
        let cluster = try await PostgresCluster()
        let folder = FileManager.default.temporaryDirectory.path + "/nightlatch-bench-\(UUID().uuidString)"
        let servers = (0..<processCount).map { number in
            ServerProcess(
                program: Bundle.main.bundleURL.appendingPathComponent("nightlatch"), folder: "\(folder)/\(number)",
                database: cluster.address(),
                // All come from one address.
                arguments: ["--address-rate", "0", "--account-rate", "0"])
        }
        let interruption = Interruption {
            for server in servers { server.retire() }
            // What is left over lies in a temporary folder.
            try? FileManager.default.removeItem(atPath: folder)
        }
        defer { interruption.clearAway() }
        let issuers = try start(servers, sharingKeysIn: folder)
        var devices: [BenchmarkDevice] = []
        for number in 0..<Self.clientCount {
            let (issuer, server) = (issuers[number % processCount], servers[number % processCount])
            let backend = HTTPBackend(issuer: issuer, key: try .load(from: server.backendKeyPath))
            devices.append(
                try await BenchmarkDevice(
                    number: number, backend: backend, issuer: issuer, folder: folder + "/devices"))
        }
        for device in devices { try await device.logIn() }
        return try await measure(devices, servers: servers)
    }

    /// Starts the servers, all with the keys that the first one makes.
    private func start(_ servers: [ServerProcess], sharingKeysIn folder: String) throws -> [Issuer] {
        let first = try servers[0].start(port: 0)
        return try [first]
            + servers.indices.dropFirst().map { number in
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/\(number)", withIntermediateDirectories: true)
                for key in ["master.key", "backend.key"] {
                    try FileManager.default.copyItem(atPath: "\(folder)/0/\(key)", toPath: "\(folder)/\(number)/\(key)")
                }
                return try servers[number].start(port: 0)
            }
    }

    private func measure(_ devices: [BenchmarkDevice], servers: [ServerProcess]) async throws -> [Measurement] {
        let processes = servers.compactMap(\.processID)
        let processorBefore = try processes.map(ProcessorTime.of).reduce(0, +)
        let clock = ContinuousClock()
        let start = clock.now
        let durations = try await withThrowingTaskGroup(of: [Duration].self) { group in
            for device in devices {
                group.addTask {
                    var durations: [Duration] = []
                    for _ in 0..<Self.loginsPerClient {
                        durations.append(try await clock.measure { try await device.logIn() })
                    }
                    return durations
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }.sorted()
        }
        let passed = start.duration(to: clock.now) / .seconds(1)
        let processor = try processes.map(ProcessorTime.of).reduce(0, +) - processorBefore
        let count = Double(durations.count)
        let names = Self.names(processCount: servers.count)
        return [
            Measurement(names[0], processor / count, "ms", bar: 0.40, goal: 0.20, better: .lower),
            Measurement(names[1], count / passed, "1/s", better: .higher),
            Measurement(
                names[2], durations[durations.count * 99 / 100] / .milliseconds(1), "ms", better: .lower),
        ]
    }
}
