import Foundation
import NightlatchServer
import NightlatchServerProcess
import NightlatchWire

/// A server in a process of its own over a seeded database, and what loads on it have given so far.
final class LoadedServer {
    private let server: ServerProcess
    private let processID: Int32
    private let generator: LoadGenerator
    private(set) var result = LoadGenerator.Result()
    /// Processor time of the server under load, in milliseconds.
    private var processorTime = 0.0

    /// Seeds the database and starts the server, whose files all lie in `folder`, which is there.
    init(server: ServerProcess, folder: String, deviceCount: Int, loadDeviceCount: Int) throws {
        let devices = try (0..<loadDeviceCount).map(LoadDevice.init)
        try SeededDatabase(deviceCount: deviceCount, devices: devices).make(at: folder + "/nightlatch.sqlite")
        let issuer = try server.start(port: 0)
        guard let processID = server.processID, let port = URL(string: issuer.rawValue)?.port else {
            throw CocoaError(.coderInvalidValue)
        }
        self.server = server
        self.processID = processID
        generator = LoadGenerator(issuer: issuer, port: port, devices: devices)
    }

    /// Lets logins run that do not count: caches fill, and the server's memory is made.
    func warmUp(connections: Int, for time: Duration) async throws {
        _ = try await generator.run(connections: connections, for: time, limit: .max)
    }

    /// Loads the server for a while more.
    func load(connections: Int, for time: Duration, limit: Int = .max) async throws {
        let before = try ProcessorTime.of(processID)
        result += try await generator.run(
            connections: connections, for: time, limit: limit, startingAt: result.durations.count)
        processorTime += try ProcessorTime.of(processID) - before
    }

    var millisecondsPerLogin: Double { processorTime / Double(result.durations.count) }

    var loginsPerSecond: Double { Double(result.durations.count) / (result.passed / .seconds(1)) }

    func milliseconds(percentile: Int) -> Double { result.milliseconds(percentile: percentile) }

    func peakMemory() throws -> Double { try ProcessorTime.peakMemory(of: processID) }
}
