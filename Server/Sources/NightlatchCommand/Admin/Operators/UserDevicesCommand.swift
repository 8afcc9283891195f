import ArgumentParser
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch admin devices …`
struct UserDevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List, rename, block, unblock and revoke a user's devices.",
        subcommands: [
            ListUserDevicesCommand.self, RenameUserDeviceCommand.self, BlockUserDeviceCommand.self,
            UnblockUserDeviceCommand.self, RevokeUserDeviceCommand.self,
        ])
}

/// `nightlatch admin devices list`
struct ListUserDevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List a user's devices, oldest first: all that are not revoked, and the fifty that were revoked last."
    )

    @OptionGroup var options: UserListOptions

    func run() async throws {
        try await options.print(
            { administration, user throws(AdministrationError) in try await administration.devices(of: user) },
            table: Table.init(of:), report: DeviceReport.init)
    }
}

/// The arguments that select a user's device, and the output format.
struct UserDeviceOptions: ParsableArguments {
    @Argument(help: "The user of the device.")
    var user: String

    @Argument(help: "The device's id.")
    var device: String

    @Flag(help: "Print one line of JSON.")
    var json = false

    @OptionGroup var options: DatabaseOptions

    /// Applies `change` and prints the changed device.
    func make(
        _ change: (Administration, DeviceID, UserID) async throws(AdministrationError) -> DeviceRecord
    ) async throws {
        let (user, device) = (try BackendOptions.user(user), try DeviceID.parse(device))
        let changed = try await options.administer { administration throws(AdministrationError) in
            try await change(administration, device, user)
        }
        if json { DeviceReport(changed).printJSON() } else { Table(of: [changed]).print() }
    }
}
