import ArgumentParser
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// `nightlatch admin audit`
struct AuditEntriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Show the newest entries of the audit log, newest first.",
        discussion: "Entries are shown without verification. To verify the log, run `nightlatch audit verify`.")

    @Option(help: "Only entries about this user.")
    var user: String?

    @Option(help: "Only older entries: the value that the previous page printed.")
    var before: String?

    @OptionGroup var page: PageOptions
    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let user = try user.map { text throws(CommandFailure) in try BackendOptions.user(text) }
        let before = try before.map { text throws(CommandFailure) in
            guard let position = AuditPosition(text) else {
                throw CommandFailure(.usage, "“\(text)” is not a position in the audit log.")
            }
            return position
        }
        let length = try page.length()
        let found = try await options.administer { administration throws(AdministrationError) in
            try await administration.auditEntries(of: user, before: before, pageLength: length)
        }
        if page.json {
            PageReport(entries: found.elements, next: found.next?.description).printJSON()
            return
        }
        var table = Table(
            "TIME", "EVENT", "BY", "USER", "DEVICE", "TRANSACTION", "PROBLEM", "COUNT", "APP", "REASON", "MEMBERS",
            "KEY", "CLAIMS")
        for entry in found.elements {
            let event = entry.event
            table.add(
                entry.at.shown, event.kind.rawValue, event.actor.shown, event.shownUser ?? "-",
                event.device?.rawValue ?? "-", event.transaction?.rawValue ?? "-", event.problem?.rawValue ?? "-",
                event.count.map(String.init) ?? "-", event.client?.rawValue ?? "-",
                event.reason?.rawValue ?? "-", event.shownMembers ?? "-", event.journeyKey?.rawValue ?? "-",
                event.shownClaims ?? "-")
        }
        table.print()
        page.tellNext(found.next.map { "--before \($0)" })
    }
}
