import Foundation
import GRDB
import Nightlatch
import NightlatchPlatform
import NightlatchServerProcess
import NightlatchWire
import Testing

// Stops, kills and restarts the servers of a fleet.
extension ServerFleet {
    /// Kills a server without warning and waits until its process has ended.
    func kill(_ number: Int) async throws {
        Foundation.kill(try #require(servers[number].processID), SIGKILL)
        let server = servers[number]
        try await Self.blocking { _ = server.stop() }
    }

    /// Asks a server to stop and waits until it has ended.
    ///
    /// - Returns: Its exit status.
    func stop(_ number: Int) async throws -> Int32 {
        let server = servers[number]
        return try await Self.blocking { server.stop() }
    }

    /// Starts a server again on the same port.
    func restart(_ number: Int) async throws {
        let (server, port) = (servers[number], try #require(addresses[number].url(path: "/")?.port))
        try await Self.blocking { _ = try server.start(port: port) }
    }

    /// Kills all servers and starts them again.
    ///
    /// - Parameter growth: By how many KiB a file may exceed the database's present size; nil for no limit. The
    ///   write-ahead log is written to the database first, so the log starts empty and soon reaches the limit.
    func restartAll(growth: Int? = nil) async throws {
        for number in servers.indices { try await kill(number) }
        let limit = folder.path + "/limit"
        if let growth {
            let database = try DatabaseQueue(path: file)
            try await database.writeWithoutTransaction { database in _ = try database.checkpoint(.truncate) }
            try database.close()
            let size = try #require(try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
            try String(size / 1024 + growth).write(toFile: limit, atomically: true, encoding: .utf8)
        } else if FileManager.default.fileExists(atPath: limit) {
            try FileManager.default.removeItem(atPath: limit)
        }
        for number in servers.indices { try await restart(number) }
    }

    /// Returns when all servers report that they are ready.
    func waitUntilReady() async throws {
        for address in addresses {
            while try await !isReady(address) { try Task.checkCancellation() }
        }
    }

    private func isReady(_ address: Issuer) async throws -> Bool {
        do {
            _ = try await HTTPRelyingParty(issuer: address).checkReadiness()
            return true
        } catch RelyingPartyError.refused(let refusal) where refusal.code == .unavailable {
            return false
        }
    }
}
