import ArgumentParser
import Foundation
import NightlatchPlatform
import NightlatchProgram
import NightlatchServer
import NightlatchWire

/// `nightlatch health`: a readiness check for programs that start servers.
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Ask a relying party whether it can serve.",
        discussion: """
            Without --server it asks the relying party of this machine, at the address in the environment or the file \
            (NIGHTLATCH_LISTEN, NIGHTLATCH_TLS_CERTIFICATE, NIGHTLATCH_CONFIG), and accepts any certificate. \
            Exit code 0 if it can serve, 3 if it cannot or does not answer.
            """
    )

    @Option(help: "The relying party's URL. (default: the one of this machine)")
    var server: String?

    @OptionGroup var trust: ServerTrustOptions

    func run() async throws {
        if let server {
            try await ask(server)
        } else {
            try await askThisMachine()
        }
        StandardStream.writeLine("ready", to: .standardOutput)
    }

    private func ask(_ server: String) async throws {
        let relyingParty = HTTPRelyingParty(
            issuer: try Issuer.parse(server: server), transport: try trust.transport())
        do {
            _ = try await relyingParty.checkReadiness()
        } catch {
            throw CommandFailure(error)
        }
    }

    private func askThisMachine() async throws {
        let told = try ToldSettings()
        let address = try ListeningAddress(told[.listen, default: PolicySettings.defaultListening])
        do throws(ReadinessProbe.Failure) {
            try await ReadinessProbe(
                host: address.reachableHost, port: address.port, speaksTLS: told[.tlsCertificate] != nil
            ).check(Route.readiness.path, limit: .seconds(4))
        } catch {
            switch error {
            case .notReady(let status):
                throw CommandFailure(
                    .unavailable, "The relying party at \(address.text) is not ready: status \(status).")
            case .noAnswer:
                throw CommandFailure(.unavailable, "No relying party answers at \(address.text).")
            }
        }
    }
}
