import ArgumentParser
import Foundation
import NightlatchWire

/// The requests of an address that tries to slow down others. Each connection sends a request as soon as the previous
/// one is answered. The address is in `X-Forwarded-For`, as a trusted proxy would send it.
enum Flood: String, CaseIterable, ExpressibleByArgument {
    /// Bodies of 60 KB with nested arrays, which begin journeys.
    case journeys
    /// Wrong passwords.
    case passwords
    /// Paths without a route. The limit of the address refuses nearly all requests.
    case refusals
    /// Health requests, which have a separate limit.
    case health

    private static let realm = "alpha"
    static let journeysFile = #"{"realm":"\#(realm)","applicationIds":["com.example.app"]}"#
    private static let address = "X-Forwarded-For: 192.0.2.1\r\n"
    private static let connectionCount = 40

    /// Sends requests until the task is cancelled.
    func run(at port: Int) async throws {
        let (method, path, type, body) = request
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.connectionCount {
                group.addTask {
                    try await LoadConnection.run(port: port) { server in
                        while !Task.isCancelled {
                            _ = try await server.exchange(
                                body, as: type, to: path, by: method, headers: Self.address)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private var request: (method: String, path: String, type: String, body: [UInt8]) {
        switch self {
        case .journeys:
            let nested = #"{"a":[[[[["# + [String](repeating: "{}", count: 20_000).joined(separator: ",") + "]]]]]}"
            return ("POST", "/json/realms/\(Self.realm)/authenticate", "application/json", Array(nested.utf8))
        case .passwords:
            let wrong = #"{"user":"mallory","password":"wrong"}"#
            return ("POST", Route.enrolByPassword.path, "application/json", Array(wrong.utf8))
        case .refusals: return ("POST", "/nope", "text/plain", [])
        case .health: return ("GET", Route.liveness.path, "text/plain", [])
        }
    }
}

/// The command that runs a flood in a separate process, so that the measured logins share no thread with it.
struct FloodCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flood", abstract: "Floods a server until its input ends.", shouldDisplay: false)

    @Argument var flood: Flood
    @Argument var port: Int

    func run() async throws {
        Thread.detachNewThread {
            while !FileHandle.standardInput.availableData.isEmpty {}
            Foundation.exit(0)
        }
        try await flood.run(at: port)
    }

    /// Runs `work` during a flood. The flooding process has the lowest priority, so that the measurement contains the
    /// server's cost of the flood, but not the cost of sending it.
    static func whileFlooding<Value>(
        with flood: Flood,
        at port: Int,
        _ work: () async throws -> Value
    ) async throws -> Value {
        let (process, input) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/nice")
        process.arguments = [
            "-n", "19", Bundle.main.bundleURL.appending(path: "nightlatch-bench").path, "flood", flood.rawValue,
            String(port),
        ]
        process.standardInput = input
        try process.run()
        let result: Result<Value, any Error>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        guard process.isRunning else { throw Ended() }
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        return try result.get()
    }

    struct Ended: Error, CustomStringConvertible {
        let description = "the flood ended before the logins beside it did"
    }
}
