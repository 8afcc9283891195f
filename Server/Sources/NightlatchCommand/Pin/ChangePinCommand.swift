import ArgumentParser
import Nightlatch
import NightlatchProgram

/// `nightlatch pin change`
struct ChangePinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Changes the PIN. The old PIN opens the vault until the change is complete.")

    @OptionGroup var client: ClientOptions
    @OptionGroup var pins: PinOptions

    @Option(
        help: ArgumentHelp(
            "Read the new PIN as a line from this open file descriptor, which can be that of the old PIN.",
            valueName: "number"))
    var newPinFd: Int32?

    func run() async throws {
        let vault = try await client.clientHome().presentVault()
        var newPins = PinOptions()
        newPins.pinFd = newPinFd
        newPins.pad = pins.pad
        let old: PinBox?
        if pins.pinFd == nil {
            // At the terminal, the old PIN is tried first. So the user learns of a wrong PIN before choosing a new one.
            let (open, pin) = try await pins.unlock(vault, reason: "to choose another one", keepsPin: true)
            await open.lock()
            old = pin
        } else {
            old = PinBox(try await pins.readPin(for: vault))
        }
        let new = try await newPins.newPin(for: .changePin, otherThan: old)
        guard let old = old?.take() else { throw CommandFailure(.defect, "a PIN was taken twice") }
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
