import ArgumentParser

/// `nightlatch pin …`
struct PinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin",
        abstract: "Works on the PIN.",
        subcommands: [ChangePinCommand.self, TwoPartyPinCommand.self])
}
