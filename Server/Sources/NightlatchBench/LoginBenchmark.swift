import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchServer
import NightlatchServerProcess
import NightlatchTesting
import NightlatchWire

/// Complete logins (begin, finish, tokens stored) by the real client against a real server process over loopback.
struct LoginBenchmark: BenchmarkGroup {
    let names = [
        "login_server_cpu_ms_sqlite", "login_per_second_sqlite", "login_p99_ms_sqlite", "server_rss_MiB",
    ]

    private let clients = 8
    private let loginsPerClient = 150

    func measure() async throws -> [Measurement] {
        let folder = FileManager.default.temporaryDirectory.path + "/nightlatch-bench-\(UUID().uuidString)"
        let server = ServerProcess(
            program: Bundle.main.bundleURL.appendingPathComponent("nightlatch"), folder: folder + "/server")
        let interruption = Interruption {
            server.retire()
            // What is left over lies in a temporary folder.
            try? FileManager.default.removeItem(atPath: folder)
        }
        defer { interruption.clearAway() }
        let issuer = try server.start(port: 0)
        guard let processID = server.processID else { return [] }
        let backend = HTTPBackend(issuer: issuer, key: try .load(from: server.backendKeyPath))
        let devices = try await (0..<clients).asyncMap {
            try await BenchmarkDevice(number: $0, backend: backend, issuer: issuer, folder: folder + "/devices")
        }
        for device in devices { try await device.logIn() }

        let processorBefore = try ProcessorTime.of(processID)
        let clock = ContinuousClock()
        let start = clock.now
        let durations = try await withThrowingTaskGroup(of: [Duration].self) { group in
            for device in devices {
                group.addTask {
                    try await (0..<loginsPerClient).asyncMap { _ in
                        try await clock.measure { try await device.logIn() }
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }.sorted()
        }
        let passed = start.duration(to: clock.now) / .seconds(1)
        let processor = try ProcessorTime.of(processID) - processorBefore
        let count = Double(durations.count)
        return [
            Measurement(
                "login_server_cpu_ms_sqlite", processor / count, "ms", bar: 0.40, goal: 0.20, better: .lower),
            Measurement("login_per_second_sqlite", count / passed, "1/s", better: .higher),
            Measurement(
                "login_p99_ms_sqlite", durations[durations.count * 99 / 100] / .milliseconds(1), "ms",
                better: .lower),
            Measurement(
                "server_rss_MiB", try ProcessorTime.peakMemory(of: processID), "MiB", bar: 200,
                better: .lower),
        ]
    }
}

extension Range<Int> {
    /// The elements of the range, each turned into something, one after the other.
    fileprivate func asyncMap<Value>(_ transform: (Int) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
