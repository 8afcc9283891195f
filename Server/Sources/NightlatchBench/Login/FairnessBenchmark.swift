import Foundation
import NightlatchServerProcess
import NightlatchWire

/// Measures how much the logins of one address slow down while another address sends requests without credentials at
/// full speed. Each client sends its address in `X-Forwarded-For`, as a trusted proxy would.
struct FairnessBenchmark: BenchmarkGroup {
    let names = Flood.allCases.map(Self.name)

    private static let quietAddress = "X-Forwarded-For: 192.0.2.2\r\n"
    private let rounds = 5
    private let roundTime = Duration.seconds(2)
    /// The time from the beginning of a login to the beginning of the next one. A login takes two requests, so their
    /// rate is below the limit of an address.
    private let loginInterval = Duration.milliseconds(60)

    func measure() async throws -> [Measurement] {
        let journeys = FileManager.default.temporaryDirectory.appending(
            path: "nightlatch-bench-journeys-\(UUID().uuidString).json")
        try Data(Flood.journeysFile.utf8).write(to: journeys)
        defer { try? FileManager.default.removeItem(at: journeys) }
        let servers = try BenchmarkServers(
            ["fairness"], arguments: ["--trusted-proxies", "127.0.0.1", "--journeys", journeys.path])
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
            // Alternates, so that other load on the machine affects both measurements.
            for _ in 0..<rounds {
                alone += try await logIn()
                beside += try await FloodCommand.whileFlooding(with: flood, at: port) { try await logIn() }
            }
            measurements.append(
                Measurement(
                    Self.name(of: flood), beside.milliseconds(percentile: 50) / alone.milliseconds(percentile: 50), "",
                    bar: 2, better: .lower))
        }
        return measurements
    }

    private static func name(of flood: Flood) -> String { "login_p50_ratio_under_flood_of_\(flood.rawValue)" }
}
