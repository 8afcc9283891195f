import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch admin journey-sessions …`
struct JourneySessionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journey-sessions",
        abstract: "List and end a user's sessions of journeys.",
        subcommands: [ListJourneySessionsCommand.self, EndJourneySessionsCommand.self])
}

/// `nightlatch admin journey-sessions list`
struct ListJourneySessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List a user's active sessions of journeys, newest first, at most fifty.")

    @OptionGroup var options: UserListOptions

    func run() async throws {
        try await options.print(
            { administration, user throws(AdministrationError) in try await administration.journeySessions(of: user) },
            table: Table.init(of:), report: JourneySessionReport.init)
    }
}

/// `nightlatch admin journey-sessions end`
struct EndJourneySessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "End all of a user's sessions of journeys. Keys stay bound, and other logins go on.")

    @Argument(help: "The user of the sessions.")
    var user: String

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let user = try BackendOptions.user(user)
        let count = try await options.administer { administration throws(AdministrationError) in
            try await administration.endJourneySessions(of: user)
        }
        StandardStream.writeLine("\(user.rawValue)  \(count) ended", to: .standardOutput)
    }
}
