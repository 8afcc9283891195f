import ArgumentParser

/// `nightlatch pin …`
struct PinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin",
        abstract: "Changes the PIN or its protection.",
        subcommands: [ChangePinCommand.self, TwoPartyPinCommand.self])
}
