import Crypto
import Foundation
import NightlatchServerProcess

/// Measures complete logins (begin, finish, tokens stored) at real server processes over loopback. The load generator
/// runs in this process.
struct LoginBenchmark: BenchmarkGroup {
    let names = [
        "login_server_cpu_ms_sqlite", "login_per_second_sqlite", "login_p50_ms_sqlite", "login_p99_ms_sqlite",
        "login_floor_cpu_ms_p256", "login_cpu_ratio_1M_to_1k_devices", "server_rss_MiB",
        "login_server_cpu_ms_sqlite_apart", "login_per_second_sqlite_apart",
    ]

    private let connections = 16
    private let rounds = 6
    private let roundTime = Duration.seconds(2)

    func measure() async throws -> [Measurement] {
        let servers = try BenchmarkServers(["1k", "1M"])
        defer { servers.clearAway() }
        let small = try LoadedServer(
            servers.processes[0], devices: devices(1000, among: 1000, in: servers.folders[0]))
        let large = try LoadedServer(
            servers.processes[1], devices: devices(10_000, among: 1_000_000, in: servers.folders[1]))
        for server in [small, large] { try await server.warmUp(connections: connections, for: roundTime) }
        var (ofSmall, ofLarge) = (ServerLoad(), ServerLoad())
        // Alternates, so that other load on the machine affects both measurements.
        for _ in 0..<rounds {
            ofSmall += try await small.load(connections: connections, for: roundTime)
            ofLarge += try await large.load(connections: connections, for: roundTime)
        }
        return [
            Measurement(
                "login_server_cpu_ms_sqlite", ofSmall.millisecondsPerLogin, "ms", bar: 0.45, goal: 0.20, better: .lower),
            Measurement("login_floor_cpu_ms_p256", try floor(), "ms", better: .lower),
            Measurement("login_per_second_sqlite", ofSmall.loginsPerSecond, "1/s", better: .higher),
            Measurement("login_p50_ms_sqlite", ofSmall.milliseconds(percentile: 50), "ms", bar: 4, better: .lower),
            Measurement("login_p99_ms_sqlite", ofSmall.milliseconds(percentile: 99), "ms", bar: 10, better: .lower),
            Measurement(
                "login_cpu_ratio_1M_to_1k_devices", ofLarge.millisecondsPerLogin / ofSmall.millisecondsPerLogin, "",
                bar: 1.2, better: .lower),
            Measurement(
                "server_rss_MiB", max(try small.peakMemory(), try large.peakMemory()), "MiB", bar: 200,
                better: .lower),
        ] + (try await apart(small))
    }

    /// Creates a server's database in `folder`, and returns the devices that log in.
    private func devices(_ loadDeviceCount: Int, among deviceCount: Int, in folder: String) throws -> [LoadDevice] {
        let devices = try (0..<loadDeviceCount).map(LoadDevice.init)
        try SeededDatabase(deviceCount: deviceCount, devices: devices).make(at: folder + "/nightlatch.sqlite")
        return devices
    }

    /// Measures logins while the server has one processor for itself and the load generator has all others. Returns no
    /// measurements if processors cannot be assigned.
    private func apart(_ server: LoadedServer) async throws -> [Measurement] {
        guard let share = ProcessorShare(server: server.processID) else { return [] }
        let load = try await share.whileApart {
            try await server.warmUp(connections: connections, for: roundTime)
            var load = ServerLoad()
            for _ in 0..<rounds { load += try await server.load(connections: connections, for: roundTime) }
            return load
        }
        return [
            Measurement("login_server_cpu_ms_sqlite_apart", load.millisecondsPerLogin, "ms", better: .lower),
            Measurement("login_per_second_sqlite_apart", load.loginsPerSecond, "1/s", better: .higher),
        ]
    }

    /// Returns the processor time of the two verifications and the signature of a login, in milliseconds.
    private func floor() throws -> Double {
        let (key, message, rounds) = (P256.Signing.PrivateKey(), Data(repeating: 7, count: 500), 500)
        var isValid = true
        let start = ProcessorTime.ofThisProcess()
        for _ in 0..<rounds {
            let signature = try key.signature(for: message)
            for _ in 0..<2 { isValid = isValid && key.publicKey.isValidSignature(signature, for: message) }
        }
        guard isValid else { throw CryptoKitError.authenticationFailure }
        return (ProcessorTime.ofThisProcess() - start) / Double(rounds)
    }
}
