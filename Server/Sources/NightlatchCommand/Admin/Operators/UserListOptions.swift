import ArgumentParser
import NightlatchRelyingParty
import NightlatchWire

/// The arguments of commands that list records of a user, and the output format.
struct UserListOptions: ParsableArguments {
    @Argument(help: "The user's id.")
    var user: String

    @Flag(help: "Print one line of JSON.")
    var json = false

    @OptionGroup var options: DatabaseOptions

    /// Prints everything that `list` finds, as a table or as reports.
    func print<Element, Report: Encodable>(
        _ list: (Administration, UserID) async throws(AdministrationError) -> [Element],
        table: ([Element]) -> Table,
        report: (Element) -> Report
    ) async throws {
        let user = try BackendOptions.user(user)
        let found = try await options.administer { administration throws(AdministrationError) in
            try await list(administration, user)
        }
        if json {
            PageReport(entries: found.map(report), next: nil).printJSON()
        } else {
            table(found).print()
        }
    }
}
