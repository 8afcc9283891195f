import Foundation
import NightlatchServerProcess
import NightlatchWire

/// A server in a separate process, with a database in which devices are bound.
final class LoadedServer {
    let processID: Int32
    private let server: ServerProcess
    private let generator: LoadGenerator
    private var loginCount = 0

    /// Starts the server. `devices` are the devices that log in, and `policy` is the revision that each states.
    init(_ server: ServerProcess, devices: [LoadDevice], policy: PolicyRevision? = nil) throws {
        let issuer = try server.start(port: 0)
        guard let processID = server.processID, let port = URL(string: issuer.rawValue)?.port else {
            throw CocoaError(.coderInvalidValue)
        }
        self.server = server
        self.processID = processID
        generator = LoadGenerator(issuer: issuer, port: port, devices: devices, policy: policy)
    }

    /// Runs logins for `time` without measuring them, so that the server fills its caches and allocates its memory.
    func warmUp(connections: Int, for time: Duration) async throws {
        _ = try await generator.run(connections: connections, for: time)
    }

    /// Loads the server for `time`, starting with the device after the one that logged in last.
    func load(connections: Int, for time: Duration) async throws -> ServerLoad {
        let before = try ProcessorTime.of(processID)
        let logins = try await generator.run(connections: connections, for: time, startingAt: loginCount)
        loginCount += logins.durations.count
        return ServerLoad(logins, processorTime: try ProcessorTime.of(processID) - before)
    }

    /// Loads the server for `time` with calls of `step`.
    func load(
        connections: Int,
        for time: Duration,
        _ step: @escaping @Sendable (_ number: Int, _ server: inout LoadConnection) async throws -> Void
    ) async throws -> ServerLoad {
        let before = try ProcessorTime.of(processID)
        let steps = try await LoadGenerator.run(port: generator.port, connections: connections, for: time, step)
        return ServerLoad(steps, processorTime: try ProcessorTime.of(processID) - before)
    }

    func peakMemory() throws -> Double { try ProcessorTime.peakMemory(of: processID) }
}
