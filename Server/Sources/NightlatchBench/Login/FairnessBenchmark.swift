import Foundation
import NIOCore
import NightlatchServer
import NightlatchServerProcess
import NightlatchWire

/// How much an anonymous address at full speed slows the logins of another address. Each client says its address in `X-Forwarded-For`, as a
/// trusted proxy would.
struct FairnessBenchmark: BenchmarkGroup {
    let names = Flood.allCases.map(\.name)

    /// What the loud address sends, over connections that each send again when they are answered.
    private enum Flood: String, CaseIterable {
        /// Wrong passwords.
        case passwords
        /// Paths that are not served: nearly all are refused by the limit of the address.
        case refusals

        var name: String { "login_p50_ratio_under_flood_of_\(rawValue)" }

        var request: (body: String, contentType: String, path: String) {
            switch self {
            case .passwords: (#"{"user":"mallory","password":"wrong"}"#, "application/json", Route.enrolByPassword.path)
            case .refusals: ("", "text/plain", "/nope")
            }
        }
    }

    private static let loudAddress = "X-Forwarded-For: 192.0.2.1\r\n"
    private static let quietAddress = "X-Forwarded-For: 192.0.2.2\r\n"
    private let loudConnectionCount = 40
    private let rounds = 5
    private let roundTime = Duration.seconds(2)
    /// Two requests a login, so below the limit of an address.
    private let loginInterval = Duration.milliseconds(60)

    func measure() async throws -> [Measurement] {
        let servers = try BenchmarkServers(["fairness"], arguments: ["--trusted-proxies", "127.0.0.1"])
        defer { servers.clearAway() }
        let devices = try (0..<100).map(LoadDevice.init)
        try SeededDatabase(deviceCount: 100, devices: devices).make(at: servers.folders[0] + "/nightlatch.sqlite")
        let issuer = try servers.processes[0].start(port: 0)
        guard let port = URL(string: issuer.rawValue)?.port else { throw CocoaError(.coderInvalidValue) }
        let generator = LoadGenerator(issuer: issuer, port: port, devices: devices, headers: Self.quietAddress)
        func logIn() async throws -> LoadGenerator.Result {
            try await generator.run(connections: 1, for: roundTime, each: loginInterval)
        }
        _ = try await logIn()
        var measurements: [Measurement] = []
        for flood in Flood.allCases {
            var (alone, beside) = (LoadGenerator.Result(), LoadGenerator.Result())
            // By turns, so that what else the machine does falls on both.
            for _ in 0..<rounds {
                alone += try await logIn()
                beside += try await whileFlooding(with: flood, at: port) { try await logIn() }
            }
            measurements.append(
                Measurement(
                    flood.name, beside.milliseconds(percentile: 50) / alone.milliseconds(percentile: 50), "", bar: 2,
                    better: .lower))
        }
        return measurements
    }

    private func whileFlooding(
        with flood: Flood,
        at port: Int,
        _ work: () async throws -> LoadGenerator.Result
    ) async throws -> LoadGenerator.Result {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<loudConnectionCount {
                group.addTask {
                    try await LoadConnection.run(port: port) { server in
                        while !Task.isCancelled {
                            let (body, type, path) = flood.request
                            _ = try await server.exchange(
                                Array(body.utf8), as: type, to: path, headers: Self.loudAddress)
                        }
                    }
                }
            }
            let result = try await work()
            group.cancelAll()
            // A connection that is cancelled may end with an error.
            while let ended = await group.nextResult() { _ = ended }
            return result
        }
    }
}
