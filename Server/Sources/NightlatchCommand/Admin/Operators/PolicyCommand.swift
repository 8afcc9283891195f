import ArgumentParser
import Foundation
import NightlatchConsole

/// `nightlatch admin policy`
struct PolicyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Show what a server allows, and for how long.",
        discussion: """
            It is what `nightlatch serve` would run with if it were started here and now: give it the same flags, environment and file. \
            What a server runs with that was started otherwise, its console tells.
            """)

    @Flag(help: "Print one line of JSON.")
    var json = false

    @OptionGroup var options: ServeOptions

    func run() async throws {
        let settings = try PolicySettings(try ToldSettings(options))
        let groups = PolicyGroup.all(of: settings.configuration)
        if json { return PolicyReport(groups).printJSON() }
        var table = Table("POLICY", "WHAT", "SAYS")
        for group in groups {
            for fact in group.facts { table.add(group.title, fact.name, fact.value) }
        }
        table.print()
    }
}

/// The policy as one line of JSON.
private struct PolicyReport: Encodable {
    let policy: [String: [String: String]]

    init(_ groups: [PolicyGroup]) {
        policy = Dictionary(
            uniqueKeysWithValues: groups.map { group in
                (group.id, Dictionary(uniqueKeysWithValues: group.facts.map { ($0.name, $0.value) }))
            })
    }
}
