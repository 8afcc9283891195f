import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch admin apps …`
struct AppsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: "List, show, register, change and remove the apps that may use the server.",
        discussion: "Servers that run use a change within six seconds.",
        subcommands: [
            ListAppsCommand.self, ShowAppCommand.self, AddAppCommand.self, ChangeAppCommand.self, RemoveAppCommand.self,
        ])
}

/// `nightlatch admin apps list`
struct ListAppsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List all registered apps, in the order of their ids.")

    @Flag(help: "Print one line of JSON.")
    var json = false

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let apps = try await options.administer { administration throws(AdministrationError) in
            try await administration.apps()
        }
        if json { return AppSummaryList(apps).printJSON() }
        var table = Table("APP", "AUTHENTICATION", "TOKENS", "DEVICES", "REVISION", "NAME")
        for stored in apps {
            table.add(
                stored.app.id.rawValue, stored.app.authentication.method.rawValue, stored.app.tokenKind.word,
                stored.app.bindsDevices ? "bound" : "-", String(stored.revision), stored.app.name.rawValue)
        }
        table.print()
    }
}

/// `nightlatch admin apps show`
struct ShowAppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a registered app. Its secret cannot be shown.")

    @OptionGroup var options: AppOptions

    func run() async throws {
        let id = try options.id()
        options.print(
            try await options.options.administer { administration throws(AdministrationError) in
                try await administration.app(id)
            })
    }
}

/// `nightlatch admin apps remove`
struct RemoveAppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove an app.",
        discussion: """
            Its refresh tokens end at once, and its access tokens when they expire, within an hour. Devices that it has bound stay bound, and can log in again once the id is \
            registered again.
            """)

    @Argument(help: "The id of the app.")
    var client: String

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let id = try AppOptions.id(client)
        try await options.administer { administration throws(AdministrationError) in
            try await administration.removeApp(id)
        }
        StandardStream.writeLine("\(id.rawValue)  removed", to: .standardOutput)
    }
}

extension AppTokenKind {
    /// The kind in tables.
    var word: String {
        switch self {
        case .bearer: "bearer"
        case .dpop: "DPoP"
        }
    }
}
