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
        let vault = try await client.clientHome().presentVault()
        var newPins = PinOptions()
        newPins.pinFd = newPinFd
        newPins.pad = pins.pad
        // At the terminal the old PIN is tried before anybody chooses a new one for nothing.
        let triesFirst = pins.pinFd == nil
        let old = try await pins.withPin(for: vault, reason: "to choose another one") { pin in
            if triesFirst { await (try OpenClient.open(vault, with: pin)).lock() }
            return PinBox(pin.copy())
        }
        guard let old = old.take() else { throw CommandFailure(.defect, "a PIN was taken twice") }
        let new = try await newPins.newPin(for: .changePin)
        do {
            let open = try await vault.changePin(from: old, to: new)
            OpenClient.tell(open.foreignGuesses, open.rekeyFailure)
            await open.lock()
        } catch {
            throw CommandFailure(error)
        }
        print("PIN changed")
    }
}
