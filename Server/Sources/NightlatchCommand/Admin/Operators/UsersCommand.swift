import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch admin users …`
struct UsersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "Find, import, export and delete users, and change their profiles.",
        subcommands: [
            ListUsersCommand.self, ShowUserCommand.self, SetProfileCommand.self, RemoveProfileCommand.self,
            ImportUsersCommand.self, ExportUserCommand.self, DeleteUserCommand.self,
        ],
        defaultSubcommand: ListUsersCommand.self)
}

/// `nightlatch admin users list`
struct ListUsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List users in the order of their ids.")

    @Option(help: "Only users whose ids begin with this text.")
    var prefix: String?

    @Option(help: "Only users after this one.")
    var after: String?

    @OptionGroup var page: PageOptions
    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let prefix = try prefix.map { text throws(CommandFailure) in try BackendOptions.user(text) }
        let after = try after.map { text throws(CommandFailure) in try BackendOptions.user(text) }
        let length = try page.length()
        let found = try await options.administer { administration throws(AdministrationError) in
            try await administration.users(startingWith: prefix, after: after, pageLength: length)
        }
        if page.json {
            PageReport(entries: found.elements.map { UserReport($0) }, next: found.next?.rawValue).printJSON()
            return
        }
        var table = Table("USER", "SINCE", "PASSWORD", "ACTIVE", "BLOCKED", "REVOKED")
        for user in found.elements {
            table.add(
                user.id.rawValue, user.createdAt.shown, user.hasPassword ? "set" : "none", "\(user.devices.active)",
                "\(user.devices.blocked)", "\(user.devices.revoked)")
        }
        table.print()
        page.tellNext(found.next.map { "--after \($0)" })
    }
}

/// `nightlatch admin users show`
struct ShowUserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a user: the date of creation, whether a password is set, the profile, and the devices.")

    @Argument(help: "The user's id.")
    var user: String

    @Flag(help: "Print one line of JSON.")
    var json = false

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let id = try BackendOptions.user(user)
        let (user, profile, devices) = try await options.administer { administration throws(AdministrationError) in
            (
                try await administration.user(id), try await administration.profile(of: id),
                try await administration.devices(of: id)
            )
        }
        if json { return UserReport(user, profile: profile, devices: devices).printJSON() }
        StandardStream.writeLine(
            "\(user.id), since \(user.createdAt.shown), \(user.hasPassword ? "with" : "without") a password; devices: "
                + "\(user.devices.active) active, \(user.devices.blocked) blocked, \(user.devices.revoked) revoked",
            to: .standardOutput)
        if let profile { Table(of: profile).print() }
        Table(of: devices).print()
    }
}
