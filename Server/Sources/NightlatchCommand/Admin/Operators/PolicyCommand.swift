import ArgumentParser
import Foundation
import NightlatchConsole

/// `nightlatch admin policy`
struct PolicyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Show, set and remove the policies of apps and users; show what a server allows.",
        subcommands: [
            ServerPolicyCommand.self, ShowPolicyCommand.self, SetPolicyCommand.self, RemovePolicyCommand.self,
        ],
        defaultSubcommand: ServerPolicyCommand.self)
}

/// `nightlatch admin policy server`, or without `server`
struct ServerPolicyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server",
        abstract: "Show what a server allows, and for how long.",
        discussion: """
            These are the settings that `nightlatch serve` would have with the same flags, environment and file. For a \
            server that was started differently, see its console.
            """)

    @Flag(help: "Print one line of JSON.")
    var json = false

    @OptionGroup var options: ServeOptions

    func run() async throws {
        let settings = try PolicySettings(try ToldSettings(options))
        let groups = PolicyGroup.all(of: settings.configuration)
        if json { return ServerPolicyReport(groups).printJSON() }
        var table = Table("POLICY", "WHAT", "SAYS")
        for group in groups {
            for fact in group.facts { table.add(group.title, fact.name, fact.value) }
        }
        table.print()
    }
}

/// The server's settings as one line of JSON.
private struct ServerPolicyReport: Encodable {
    let policy: [String: [String: String]]

    init(_ groups: [PolicyGroup]) {
        policy = Dictionary(
            uniqueKeysWithValues: groups.map { group in
                (group.id, Dictionary(uniqueKeysWithValues: group.facts.map { ($0.name, $0.value) }))
            })
    }
}
