import ArgumentParser
import Foundation
import NightlatchLoginPage
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

    @Flag(help: "Also print the code as a QR code, for the camera of the user's device.")
    var qr = false

    @OptionGroup var options: BackendOptions

    func run() async throws {
        let user = try BackendOptions.user(user)
        let backend = try options.backend()
        do {
            let grant = try await backend.enrolmentCode(for: user)
            let code = grant.code.groupedText
            StandardStream.writeLine(code, to: .standardOutput)
            guard qr, let drawing = QRCode(code) else { return }
            for line in drawing.terminalLines { StandardStream.writeLine(line, to: .standardOutput) }
        } catch {
            throw CommandFailure(error)
        }
    }
}
