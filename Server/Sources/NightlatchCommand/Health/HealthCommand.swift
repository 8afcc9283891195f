import ArgumentParser
import Foundation
import NightlatchPlatform
import NightlatchWire

/// `nightlatch health`: for whoever starts servers and needs to know whether one serves.
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Ask a relying party whether it can serve.",
        discussion: "Exit code 0 if it can, 3 if it cannot or does not answer."
    )

    @Option(help: "The relying party's URL.")
    var server = "http://127.0.0.1:8080"

    func run() async throws {
        guard let server = Issuer(rawValue: server) else {
            throw CommandFailure(
                .usage, "“\(server)” cannot be a relying party: it takes https, or http on a loopback address.")
        }
        do {
            _ = try await HTTPRelyingParty(issuer: server).checkReadiness()
        } catch {
            throw CommandFailure(error)
        }
        StandardStream.writeLine("ready", to: .standardOutput)
    }
}
