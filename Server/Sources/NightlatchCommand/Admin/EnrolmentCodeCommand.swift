import ArgumentParser
import Foundation
import NightlatchPlatform
import NightlatchProgram
import NightlatchWire

/// `nightlatch admin enrolment-code`: prints an enrolment code.
struct EnrolmentCodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enrolment-code",
        abstract: "Print a code with which a user binds one device, within ten minutes."
    )

    @Option(help: "The user of the device. An unknown user is created.")
    var user: String

    @OptionGroup var options: BackendOptions

    func run() async throws {
        let user = try BackendOptions.user(user)
        let backend = try options.backend()
        do {
            let grant = try await backend.enrolmentCode(for: user)
            StandardStream.writeLine(grant.code.groupedText, to: .standardOutput)
        } catch {
            throw CommandFailure(error)
        }
    }
}
