import Foundation
import NightlatchServer
import NightlatchServerProcess
import NightlatchWire

/// A server in a process of its own over a seeded database.
final class LoadedServer {
    let processID: Int32
    private let server: ServerProcess
    private let generator: LoadGenerator
    private var loginCount = 0

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
        _ = try await generator.run(connections: connections, for: time)
    }

    /// Loads the server for a while, from the device on that is next.
    func load(connections: Int, for time: Duration) async throws -> ServerLoad {
        let before = try ProcessorTime.of(processID)
        let logins = try await generator.run(connections: connections, for: time, startingAt: loginCount)
        loginCount += logins.durations.count
        return ServerLoad(logins, processorTime: try ProcessorTime.of(processID) - before)
    }

    func peakMemory() throws -> Double { try ProcessorTime.peakMemory(of: processID) }
}
