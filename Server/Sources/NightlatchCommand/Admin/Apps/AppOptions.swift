import ArgumentParser
import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// The argument that selects an app, and the output format.
struct AppOptions: ParsableArguments {
    @Argument(help: "The id of the app.")
    var client: String

    @Flag(help: "Print one line of JSON.")
    var json = false

    @OptionGroup var options: DatabaseOptions

    func id() throws(CommandFailure) -> ClientID { try Self.id(client) }

    static func id(_ text: String) throws(CommandFailure) -> ClientID {
        guard let id = ClientID(rawValue: text) else {
            throw CommandFailure(.usage, "This is not an app’s id, which has \(ClientIDRule.requirement).")
        }
        return id
    }

    /// Prints an app, and its secret if it has just got one.
    func print(_ stored: StoredApp, secret: AppSecret? = nil) {
        if json { return AppReport(stored, secret: secret).printJSON() }
        var table = Table("MEMBER", "VALUE")
        for fact in stored.facts { table.add(fact.name, fact.value) }
        if let secret { table.add("client_secret", secret.rawValue) }
        table.print()
        if secret != nil {
            StandardStream.writeLine("The secret is not shown again: keep it now.", to: .standardError)
        }
    }
}
