import ArgumentParser
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch admin journey-keys …`
struct JourneyKeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journey-keys",
        abstract: "List, rename and remove the keys that a user has bound through journeys.",
        subcommands: [ListJourneyKeysCommand.self, RenameJourneyKeyCommand.self, RemoveJourneyKeyCommand.self])
}

/// `nightlatch admin journey-keys list`
struct ListJourneyKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List a user's keys of journeys, oldest first.")

    @OptionGroup var options: UserListOptions

    func run() async throws {
        try await options.print(
            { administration, user throws(AdministrationError) in try await administration.journeyDevices(of: user) },
            table: Table.init(of:), report: JourneyKeyReport.init)
    }
}

/// `nightlatch admin journey-keys rename`
struct RenameJourneyKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Rename a key's device.")

    @OptionGroup var options: JourneyKeyOptions

    @Argument(help: "The new name.")
    var name: String

    func run() async throws {
        let name = try DeviceName.parse(name)
        try await options.make { administration, key, user throws(AdministrationError) in
            try await administration.rename(key, of: user, to: name)
        }
    }
}

/// `nightlatch admin journey-keys remove`
struct RemoveJourneyKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a key, and end the sessions that it began.",
        discussion: "Journeys no longer accept its signatures. The user can bind this or another key again.")

    @OptionGroup var options: JourneyKeyOptions

    func run() async throws {
        try await options.make { administration, key, user throws(AdministrationError) in
            try await administration.remove(key, of: user)
        }
    }
}

/// The arguments that select a journey key, and the output format.
struct JourneyKeyOptions: ParsableArguments {
    @Argument(help: "The user of the key.")
    var user: String

    @Argument(help: "The key's name from the list.")
    var key: String

    @Flag(help: "Print one line of JSON.")
    var json = false

    @OptionGroup var options: DatabaseOptions

    /// Applies `change` and prints the changed key. A removed key is printed as it was before.
    func make(
        _ change: (Administration, JourneyKeyID, UserID) async throws(AdministrationError) -> JourneyDevice
    ) async throws {
        let user = try BackendOptions.user(user)
        guard let key = JourneyKeyID(rawValue: key) else {
            throw CommandFailure(.usage, "This is not a key's name: it has 1 to 128 visible ASCII characters.")
        }
        let changed = try await options.administer { administration throws(AdministrationError) in
            try await change(administration, key, user)
        }
        if json { JourneyKeyReport(changed).printJSON() } else { Table(of: [changed]).print() }
    }
}
