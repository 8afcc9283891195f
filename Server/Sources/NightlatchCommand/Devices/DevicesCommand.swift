import ArgumentParser

/// `nightlatch devices …`
struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Lists and revokes your devices.",
        subcommands: [ListDevicesCommand.self, RevokeDeviceCommand.self],
        defaultSubcommand: ListDevicesCommand.self)
}
