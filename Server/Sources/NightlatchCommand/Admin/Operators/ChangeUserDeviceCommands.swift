import ArgumentParser
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch admin devices rename`
struct RenameUserDeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Rename a device.")

    @OptionGroup var options: UserDeviceOptions

    @Argument(help: "The new name.")
    var name: String

    func run() async throws {
        let name = try DeviceName.parse(name)
        try await options.make { administration, device, user throws(AdministrationError) in
            try await administration.rename(device, of: user, to: name)
        }
    }
}

/// `nightlatch admin devices block`
struct BlockUserDeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract: "Block a device until you unblock it.",
        discussion: """
            It keeps its keys. It cannot log in, refresh or decide, and gets device_blocked; its logins end at once. The \
            user cannot unblock it.
            """)

    @OptionGroup var options: UserDeviceOptions

    func run() async throws {
        try await options.make { administration, device, user throws(AdministrationError) in
            try await administration.block(device, of: user)
        }
    }
}

/// `nightlatch admin devices unblock`
struct UnblockUserDeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock",
        abstract: "Unblock a device that the user or an operator has blocked.")

    @OptionGroup var options: UserDeviceOptions

    func run() async throws {
        try await options.make { administration, device, user throws(AdministrationError) in
            try await administration.unblock(device, of: user)
        }
    }
}

/// `nightlatch admin devices revoke`
struct RevokeUserDeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a device permanently. It deletes its keys, and must be bound again.")

    @OptionGroup var options: UserDeviceOptions

    func run() async throws {
        try await options.make { administration, device, user throws(AdministrationError) in
            try await administration.revoke(device, of: user)
        }
    }
}
