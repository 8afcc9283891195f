import ArgumentParser
import Foundation
import NightlatchPlatform
import NightlatchServer
import NightlatchWire

/// `nightlatch admin enrolment-code`: a code with which a person binds a device.
struct EnrolmentCodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enrolment-code",
        abstract: "Print a code with which a user binds one device, within ten minutes."
    )

    @Option(help: "Whom the device is to be bound to. The user is made if there is none yet.")
    var user: String

    @Option(help: "The relying party's URL.")
    var server = "http://127.0.0.1:8080"

    @Option(help: "The file of the backend key.")
    var backendKeyFile = DataFolder.backendKey

    func run() async throws {
        guard let user = UserID(rawValue: user) else {
            throw CommandFailure(.usage, "“\(user)” cannot be a user id: 1 to 128 letters, digits and . _ - @ : = , +")
        }
        guard let server = Issuer(rawValue: server) else {
            throw CommandFailure(
                .usage, "“\(server)” cannot be a relying party: it takes https, or http on a loopback address.")
        }
        let backendKey: BackendKey
        do {
            backendKey = try BackendKey.load(from: backendKeyFile)
        } catch {
            throw CommandFailure(error, path: backendKeyFile)
        }
        do {
            let grant = try await HTTPBackend(issuer: server, key: backendKey).enrolmentCode(for: user)
            StandardStream.writeLine(grant.code.groupedText, to: .standardOutput)
        } catch {
            throw CommandFailure(error)
        }
    }
}
