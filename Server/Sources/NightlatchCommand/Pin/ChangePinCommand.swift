import ArgumentParser
import Nightlatch

/// `nightlatch pin change`
struct ChangePinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Changes the PIN. Until it is done the old one opens, and only then the new one.")

    @OptionGroup var client: ClientOptions
    @OptionGroup var pins: PinOptions

    @Option(
        help: ArgumentHelp(
            "Read the new PIN as a line from this open file descriptor; the same as for the old one will do.",
            valueName: "number"))
    var newPinFd: Int32?

    func run() async throws {
        let vault = try client.clientHome().vault()
        try await OpenClient.requirePinMayBeTried(on: vault)
        let old = try pins.readPin("PIN: ")
        var newPins = PinOptions()
        newPins.pinFd = newPinFd
        let new = try newPins.readNewPin()
        do {
            await (try vault.changePin(from: old, to: new)).lock()
        } catch {
            throw CommandFailure(error)
        }
        print("PIN changed")
    }
}
