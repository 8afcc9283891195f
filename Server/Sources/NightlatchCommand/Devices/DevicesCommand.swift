import ArgumentParser

/// `nightlatch devices …`
struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Lists, renames, blocks, unblocks and revokes your devices.",
        subcommands: [
            ListDevicesCommand.self, RenameDeviceCommand.self, BlockDeviceCommand.self, UnblockDeviceCommand.self,
            RevokeDeviceCommand.self,
        ],
        defaultSubcommand: ListDevicesCommand.self)
}
